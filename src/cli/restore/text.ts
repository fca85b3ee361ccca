// What is said of sessions that come back, and of those that do not.
import type { SessionView } from '../../protocol/session.ts';
import type { Io } from '../io.ts';
import { coloursFor } from '../text/colours.ts';
import { directory } from '../text/directory.ts';
import { oneLine } from '../text/safe.ts';
import { byFamily, nameAndId, waitingMessages } from '../text/session.ts';
import { tableLines } from '../text/table.ts';
import { ago } from '../text/time.ts';
import type { Brought } from './bring.ts';

/** Of those that nobody asked for, so many are named. */
const mostLeft = 20;

export function planLines(io: Io, stranded: readonly SessionView[]): string[] {
  if (stranded.length === 0)
    return ['Nothing to bring back: no session was running when the machine or the tmux server ended.'];
  const rows = byFamily(stranded).map(({ session, depth }) => [
    '  '.repeat(depth) + oneLine(session.display_name),
    session.id,
    session.provider,
    endedWith(session, io.now()),
    directory(session.working_dir),
    waitingMessages(session),
  ]);
  const [head = '', ...lines] = tableLines(
    ['NAME', 'ID', 'AGENT', 'ENDED WITH', { title: 'DIRECTORY', cutAt: 'start' }, 'MESSAGES'],
    rows,
    io.columns,
  );
  return [coloursFor(io).dim(head), ...lines];
}

function endedWith({ stranded }: SessionView, now: number): string {
  if (!stranded) return '';
  return `${stranded.with === 'machine' ? 'the machine' : 'the tmux server'}, ${ago(stranded.at, now)}`;
}

/** Those that ended by themselves are not brought back, and whoever misses one sees why. */
export function leftLines(left: readonly SessionView[]): string[] {
  if (left.length === 0) return [];
  const named = left
    .slice(0, mostLeft)
    .map((session) => `  ${nameAndId(session)}: ${oneLine(session.ended?.reason ?? session.phase)}`);
  const more = left.length > mostLeft ? [`  and ${left.length - mostLeft} more`] : [];
  return ['Ended by themselves, and are left alone (sm restore NAME brings one back):', ...named, ...more];
}

export function broughtLine({ session, outcome, resumed, why }: Brought): string {
  const called = nameAndId(session);
  if (outcome === 'failed') return why?.startsWith(called) ? why : `${called}: ${why}`;
  const conversation = resumed ? 'with its conversation' : 'with a new conversation: its agent has kept none';
  return `${called} is ${outcome === 'ready' ? 'back' : 'started'}, ${conversation}${why === null ? '' : `\n${why}`}`;
}
