// Webhooks: one POST with JSON, in the shape that the service takes.
import type { Occasion } from '../domain/core/occasion.ts';
import type { Clock } from '../ports/clock.ts';
import type { Notification, Sender } from '../ports/notifications.ts';
import { post } from './post.ts';

export const shapes = ['slack', 'discord', 'ntfy', 'webhook'] as const;
export type Shape = (typeof shapes)[number];

export interface WebhookDeps {
  readonly shape: Shape;
  /** Throw a reason for people. */
  url(): string;
  token(): string | null;
  readonly clock: Clock;
}

/** There is one place that it goes to. */
export const there = 'url';

export function createWebhook({ shape, url, token, clock }: WebhookDeps): Sender {
  return {
    recipients: [there],
    async send(_, notification, signal) {
      let target: string;
      let bearer: string | null;
      try {
        target = new URL(url()).href;
        bearer = token();
      } catch (error) {
        // A file may be put right at any time, but nobody should wait for it.
        const { code, message } = error as NodeJS.ErrnoException;
        return { is: 'failed', why: code === 'ERR_INVALID_URL' ? 'its URL is none' : message, again: false };
      }
      const { to, body } = payload(shape, notification, target);
      return post(
        {
          url: to,
          body: JSON.stringify(body),
          headers: {
            'content-type': 'application/json',
            ...(bearer !== null && { authorization: `Bearer ${bearer}` }),
          },
          secrets: [target, new URL(target).pathname, bearer ?? ''].filter((each) => each.length > 1),
        },
        clock,
        signal,
      );
    },
  };
}

function payload(shape: Shape, notification: Notification, url: string): { to: string; body: object } {
  const { title, text, link } = notification;
  const line = [`${title} ${text}`, ...(link === null ? [] : [link])].join('\n');
  switch (shape) {
    case 'slack':
      return { to: url, body: { text: slackText(line) } };
    case 'discord':
      // What an agent writes must not call a whole server together.
      return { to: url, body: { content: line, allowed_mentions: { parse: [] } } };
    case 'ntfy': {
      const topic = new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? '';
      const body = { topic, title, message: text, priority: priority(notification.occasion) };
      return { to: new URL('/', url).href, body: { ...body, ...(link !== null && { click: link }) } };
    }
    case 'webhook': {
      const { occasion, session, test } = notification;
      return { to: url, body: { occasion, session, title, text, link, test } };
    }
  }
}

/** The three signs that mean something there: `<!channel>` must stay text. */
const slackText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const priority = (occasion: Occasion): number =>
  occasion === 'waiting' ? 4 : occasion === 'finished' ? 2 : 3;
