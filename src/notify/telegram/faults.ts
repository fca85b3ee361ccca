// What went wrong between us and the Bot API, in words that hold no token.
import { GrammyError, HttpError } from 'grammy';
import type { Sent } from '../../ports/notifications.ts';
import { withoutSecrets } from '../post.ts';

export type Fault = Extract<Sent, { is: 'failed' }>;

export function faultOf(error: unknown, token: string): Fault {
  if (error instanceof GrammyError) {
    const { error_code: code, description, parameters } = error;
    const seconds = parameters.retry_after;
    return {
      is: 'failed',
      why: withoutSecrets(`Telegram answered ${code}: ${description}`, [token]),
      again: code === 429 || code >= 500,
      ...(seconds !== undefined && { afterMs: seconds * 1_000 }),
    };
  }
  const cause = error instanceof HttpError ? error.error : error;
  const { code, message } = cause as NodeJS.ErrnoException;
  return {
    is: 'failed',
    why: withoutSecrets(`cannot reach Telegram: ${code ?? message}`, [token]),
    again: true,
  };
}

/** Another program reads what is written to this bot, or a webhook is set for it. */
export const isConflict = (error: unknown): boolean =>
  error instanceof GrammyError && error.error_code === 409;

/** Somebody has deleted the topic. */
export const isTopicGone = (error: unknown): boolean =>
  error instanceof GrammyError && /thread not found|TOPIC_DELETED/i.test(error.description);
