// Web push: to browsers that are signed in and have asked for it. What is sent is encrypted for that browser; the push
// service in between, which the browser's maker runs, cannot read it.
import webPush from 'web-push';
import type { Clock } from '../ports/clock.ts';
import type { PushDevices } from '../ports/devices.ts';
import type { Notification, Sender } from '../ports/notifications.ts';
import { post } from './post.ts';

export interface PushKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export const makePushKeys = (): PushKeys => webPush.generateVAPIDKeys();

export interface PushDeps {
  readonly devices: PushDevices;
  readonly keys: PushKeys;
  /** Whom a push service may turn to: `mailto:` or `https:`. */
  readonly contact: string;
  /** Whether a question has Allow and Deny. */
  readonly buttons: boolean;
  readonly clock: Clock;
}

/** How long a push service keeps it for a device that is off, in seconds. */
const keptFor = 12 * 3_600;
const nobody = 'nobody';

export function createPush({ devices, keys, contact, buttons, clock }: PushDeps): Sender {
  return {
    get recipients() {
      const ids = devices.subscribed().map(({ id }) => id);
      return ids.length > 0 ? ids : [nobody];
    },
    async send(to, notification, signal) {
      const device = devices.subscribed().find(({ id }) => id === to);
      if (!device)
        return { is: 'no-device', why: to === nobody ? noDevice : 'it was signed out, or asked for no more' };
      const { endpoint, keys: secrets } = device.push;
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: secrets },
        JSON.stringify(payload(notification, buttons)),
        {
          vapidDetails: { subject: contact, ...keys },
          TTL: keptFor,
          urgency: notification.occasion === 'waiting' ? 'high' : 'normal',
          // A newer one of the same session takes the place of one that has not been shown.
          topic: notification.session.id,
          contentEncoding: 'aes128gcm',
        },
      );
      const { pathname, search } = new URL(endpoint);
      const sent = await post(
        {
          url: endpoint,
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
          body: new Uint8Array(body ?? []),
          secrets: [endpoint, `${pathname}${search}`].filter((each) => each.length > 1),
        },
        clock,
        signal,
      );
      // Its browser has taken the subscription back.
      const isGone = sent.is === 'failed' && (sent.status === 404 || sent.status === 410);
      if (!isGone) return sent;
      devices.unsubscribe(to);
      return { is: 'no-device', why: `${device.name} does not take notifications any more` };
    },
  };
}

const noDevice = 'no browser has asked for it: open the page there, and choose Notify this device';

/** What the page's service worker reads. */
const payload = ({ title, text, session, question, test }: Notification, buttons: boolean) => ({
  title,
  body: text,
  tag: session.id,
  path: test ? '/' : `/#s/${session.id}`,
  question: buttons ? question : null,
});
