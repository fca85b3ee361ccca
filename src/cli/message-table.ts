// The list of messages.
import type { MessageView } from '../protocol/message.ts';
import { actor } from './actor-text.ts';
import { coloursFor } from './format/colours.ts';
import { type Cell, tableLines } from './format/table.ts';
import { oneLine } from './format/text.ts';
import { ago } from './format/time.ts';
import type { Io } from './io.ts';
import { beginning, stateText } from './message-text.ts';

const heading = ['MESSAGE', 'FROM', 'MODE', 'SENT', 'STATE', 'TEXT'];

export function messageTable(io: Io, messages: readonly MessageView[]): string[] {
  const colours = coloursFor(io);
  const now = io.now();
  const rows = messages.map((message): Cell[] => [
    { text: `#${oneLine(message.id)}` },
    { text: actor(message.from) },
    { text: oneLine(message.mode) },
    { text: ago(message.created_at, now) },
    {
      text: stateText(message.state, message.why),
      paint: message.state === 'held' ? colours.yellow : undefined,
    },
    { text: beginning(message.text) },
  ]);
  const [head = '', ...lines] = tableLines(heading, rows, io.columns);
  return [colours.dim(head), ...lines];
}
