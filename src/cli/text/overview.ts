// The system at a glance: you, the others, locks, who waits for an answer, messages that wait.
import type { SessionView } from '../../protocol/session.ts';
import type { Io } from '../io.ts';
import { coloursFor } from './colours.ts';
import { startOne } from './hints.ts';
import { lockLine } from './lock.ts';
import { oneLine } from './safe.ts';
import { nameAndId, waitingMessages } from './session.ts';
import { sessionDetails } from './session-details.ts';
import { sessionTable } from './session-table.ts';
import { ago } from './time.ts';
import { cut } from './width.ts';

export function overviewLines(io: Io, you: SessionView | null, others: readonly SessionView[]): string[] {
  const { bold } = coloursFor(io);
  const everybody = you ? [you, ...others] : others;
  const sections = [
    you ? sessionDetails(io, you) : [],
    others.length > 0 ? [bold(headline(you, others)), ...sessionTable(io, others)] : [nobody(you)],
    lockSection(io, everybody),
    titled(
      io,
      'Waiting for an answer',
      everybody.flatMap((session) => question(io, session)),
    ),
    titled(io, 'Waiting messages', everybody.flatMap(waiting)),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : ['', ...lines]));
}

export function lockSection(io: Io, sessions: readonly SessionView[]): string[] {
  return titled(
    io,
    'Locks',
    sessions.flatMap(({ lock }) => (lock ? [`  ${lockLine(lock, io.now())}`] : [])),
  );
}

function nobody(you: SessionView | null): string {
  return you ? 'No other sessions.' : `No sessions. ${startOne}`;
}

/** `3 sessions: 1 blocked, 2 working` */
function headline(you: SessionView | null, sessions: readonly SessionView[]): string {
  const counts = new Map<string, number>();
  for (const { phase } of sessions) counts.set(phase, (counts.get(phase) ?? 0) + 1);
  const phases = [...counts].map(([phase, count]) => `${count} ${phase}`).sort();
  const noun = `${you ? 'other ' : ''}session${sessions.length === 1 ? '' : 's'}`;
  return `${sessions.length} ${noun}: ${phases.join(', ')}`;
}

function titled(io: Io, title: string, lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const room = io.columns ?? Number.POSITIVE_INFINITY;
  return [coloursFor(io).bold(title), ...lines.map((line) => cut(line, room))];
}

function question(io: Io, session: SessionView): string[] {
  if (!session.question) return [];
  const { text, since } = session.question;
  return [`  ${nameAndId(session)}, ${ago(since, io.now())}: ${oneLine(text)}`];
}

function waiting(session: SessionView): string[] {
  const messages = waitingMessages(session);
  return messages === '' ? [] : [`  ${nameAndId(session)}: ${messages}`];
}
