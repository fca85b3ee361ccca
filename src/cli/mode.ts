// The mode of a message, as it was given on the command line.
import type { MessageView } from '../protocol/message.ts';
import { Failure } from './failure.ts';

type Mode = MessageView['mode'];

export function modeOf(options: Readonly<Record<Mode, boolean>>): Mode {
  const modes = (['sequential', 'important', 'urgent'] as const).filter((mode) => options[mode]);
  if (modes.length > 1)
    throw new Failure(`Choose only one of ${modes.map((mode) => `--${mode}`).join(' and ')}.`);
  return modes[0] ?? 'sequential';
}
