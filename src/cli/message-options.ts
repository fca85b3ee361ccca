// The options of a message that several commands have: its mode, and its reminder.
import type { MessageView } from '../protocol/message.ts';
import { secondsFrom } from './arguments.ts';
import { Failure } from './failure.ts';

type Mode = MessageView['mode'];

export function modeOf(options: Readonly<Record<Mode, boolean>>): Mode {
  const modes = (['sequential', 'important', 'urgent'] as const).filter((mode) => options[mode]);
  if (modes.length > 1)
    throw new Failure(`Choose only one of ${modes.map((mode) => `--${mode}`).join(' and ')}.`);
  return modes[0] ?? 'sequential';
}

export interface RemindFields {
  /** By the thresholds that are configured: for messages, or for what is dispatched. */
  readonly remind?: 'default' | 'dispatch';
  readonly remind_soft_threshold?: number | undefined;
}

export function remindFields(option: string | true | undefined): RemindFields {
  if (option === undefined) return {};
  return option === true ? { remind: 'default' } : { remind_soft_threshold: secondsFrom('--remind', option) };
}
