// Lets this browser be told also while the page is closed; nothing where the daemon or the browser cannot do that.
import { useEffect, useState } from 'preact/hooks';
import type { Deeds } from './deeds.ts';
import { readKey } from './key.ts';
import { dropWorkerKey, keepWorkerKey } from './worker-key.ts';

const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

export function PushButton({ deeds: { client, perform } }: { readonly deeds: Deeds }) {
  /** Null: it cannot be, or is not known yet. */
  const [on, setOn] = useState<boolean | null>(null);
  const [key, setKey] = useState<string | null>(null);
  useEffect(() => {
    if (!canPush()) return;
    client.ask('GET /push').then(
      (answer) => {
        setKey(answer.key);
        setOn(answer.subscribed);
      },
      () => {},
    );
  }, []);
  if (key === null || on === null) return null;

  const change = async () => {
    const work = on ? unsubscribe : () => subscribe(key);
    if (await perform(work)) setOn(!on);
  };

  async function subscribe(serverKey: string): Promise<string> {
    if ((await Notification.requestPermission()) !== 'granted')
      throw new Error('Your browser does not allow this page to notify you.');
    await navigator.serviceWorker.register('/service-worker.js');
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that was made for another daemon is of no use.
    await (await pushManager.getSubscription())?.unsubscribe();
    const made = await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: serverKey });
    const { endpoint, keys } = made.toJSON();
    const body = { endpoint: endpoint ?? '', keys: { p256dh: keys?.p256dh ?? '', auth: keys?.auth ?? '' } };
    await client.ask('PUT /push', { body });
    // So that it can answer for this browser, also while the page is closed.
    await keepWorkerKey(readKey() ?? '');
    return 'This device is notified, also while the page is closed.';
  }

  async function unsubscribe(): Promise<string> {
    await client.ask('DELETE /push');
    await dropWorkerKey();
    const registration = await navigator.serviceWorker.getRegistration();
    await (await registration?.pushManager.getSubscription())?.unsubscribe();
    return 'This device is not notified any more.';
  }

  return (
    <button type="button" class="plain" aria-pressed={on} onClick={change}>
      {on ? 'Do not notify this device' : 'Notify this device'}
    </button>
  );
}
