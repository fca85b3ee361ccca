// What --remind [N] asks of the daemon; without a number, its configuration says when.
import { positiveNumber } from './arguments.ts';

export function remindFields(option: string | true | undefined): {
  remind?: 'default';
  remind_soft_threshold?: number | undefined;
} {
  if (option === undefined) return {};
  return option === true
    ? { remind: 'default' }
    : { remind_soft_threshold: positiveNumber('--remind', option) };
}
