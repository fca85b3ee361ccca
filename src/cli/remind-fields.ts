// What --remind [N] asks of the daemon; without a number, its configuration says when.
import { secondsFrom } from './arguments.ts';

export interface RemindFields {
  /** By the thresholds that are configured: for messages, or for what is dispatched. */
  readonly remind?: 'default' | 'dispatch';
  readonly remind_soft_threshold?: number | undefined;
}

export function remindFields(option: string | true | undefined): RemindFields {
  if (option === undefined) return {};
  return option === true ? { remind: 'default' } : { remind_soft_threshold: secondsFrom('--remind', option) };
}
