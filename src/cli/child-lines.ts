// `NAME (ID) | running | "TEXT" (2m ago)`: managers read these lines, so the form is fixed and only the padding varies.
import type { SessionView } from '../protocol/session.ts';
import { byFamily } from './family.ts';
import { oneLine } from './format/text.ts';
import { ago } from './format/time.ts';
import { cut, padEnd, textWidth } from './format/width.ts';
import type { Io } from './io.ts';

export function childLines(
  { columns, now }: Pick<Io, 'columns' | 'now'>,
  children: readonly SessionView[],
): string[] {
  const family = byFamily(children).map(({ session, depth }) => ({
    session,
    name: '  '.repeat(depth) + oneLine(session.display_name),
  }));
  const nameWidth = Math.max(...family.map(({ name }) => textWidth(name)));
  const statusWidth = Math.max(...children.map(({ status }) => status.length));
  return family.map(({ session, name }) => {
    const start = `${padEnd(name, nameWidth)} (${session.id}) | ${session.status.padEnd(statusWidth)} | `;
    return start + progress(session, now(), columns === undefined ? columns : columns - textWidth(start));
  });
}

/** Only the text is cut: how old it is matters as much. */
function progress(
  { agent_status_text: text, agent_status_at: at }: SessionView,
  now: number,
  room?: number,
): string {
  if (text === null) return '(no status)';
  const age = at === null ? '' : ` (${ago(at, now)})`;
  const line = oneLine(text);
  const shown = room === undefined ? line : cut(line, Math.max(10, room - age.length - 2));
  return `"${shown}"${age}`;
}
