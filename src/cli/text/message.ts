// How a message is put into words: exactly what is known of it, and no more.
import type { InputAnswer, MessageStateName, MessageView } from '../../protocol/message.ts';
import type { SessionView, WaitsFor } from '../../protocol/session.ts';
import type { Io } from '../io.ts';
import { coloursFor } from './colours.ts';
import { oneLine } from './safe.ts';
import { actor, limitText, nameAndId, notRecognised, reason } from './session.ts';
import { type Cell, tableLines } from './table.ts';
import { ago, elapsed } from './time.ts';
import { cut } from './width.ts';

const verbs: Readonly<Record<MessageStateName, string>> = {
  queued: 'Queued for',
  held: 'Held for',
  typed: 'Typed for',
  accepted: 'Accepted by',
  answered: 'Answered by',
  'cut-off': 'Cut off at',
  interrupted: 'Interrupted at',
  died: 'Died with',
  cleared: 'Cleared from',
  unknown: 'Ended at',
  withdrawn: 'Withdrawn from',
  expired: 'Expired for',
  failed: 'Failed for',
};

/** Nobody has taken it, and nobody will. */
export function isDead(state: MessageStateName): boolean {
  return state === 'failed' || state === 'expired' || state === 'withdrawn';
}

/** Nothing more will happen to it. */
export function isOver(state: string): boolean {
  return !['queued', 'held', 'typed', 'accepted'].includes(state);
}

/** Of these states, the reason says by whom: `by lead (f00df00d)`. */
const saysByWhom: ReadonlySet<string> = new Set(['cut-off', 'interrupted', 'cleared']);

/** `answered`, `cut off by message #0123abcd from lead (f00df00d)`, `died: exit code 1`, `held: a draft is …` */
export function stateText(state: string, why: string | null): string {
  const word = oneLine(state.replace('-', ' '));
  if (!why) return word;
  return saysByWhom.has(state) ? `${word} ${oneLine(why)}` : `${word}: ${reason(why)}`;
}

/** `Accepted by NAME (ID) #MESSAGE (hook, 43 ms)`, `Queued for NAME (ID) #MESSAGE: it is working (position 2)`, … */
export function sentLine(session: SessionView, answer: InputAnswer, sentAt: number): string {
  const { state, evidence, message_id, queue_position } = answer;
  const start = `${verbs[state] ?? oneLine(`${state}:`)} ${nameAndId(session)} #${oneLine(message_id)}`;
  if (evidence || state === 'accepted' || state === 'answered') {
    if (!evidence) return start;
    return `${start} (${oneLine(evidence.source)}, ${elapsed(Date.parse(evidence.at) - sentAt)})`;
  }
  if (state === 'typed') return `${start}: no proof yet that the agent has it`;
  const why = answer.why !== null || isDead(state) ? reason(answer.why) : whyItWaits(session);
  const position =
    typeof queue_position === 'number' && !isDead(state) ? ` (position ${queue_position})` : '';
  return `${start}${why && `: ${why}`}${position}`;
}

/** What a command waits for. */
export const waitsForText = (phase: WaitsFor | null): string =>
  phase === 'typing' || phase === null ? 'sm is typing something else' : `it is ${phase}`;

/** What a message to it waits for, by what it is doing. */
export function whyItWaits(session: SessionView): string {
  const { phase, question, id } = session;
  if (session.limit && !question) return limitText(session.limit, Date.parse(session.limit.since));
  if (session.budget?.hold && !question) return oneLine(session.budget.hold.why);
  if (phase === 'blocked') return `it asks: ${oneLine(question?.text ?? 'a human')}`;
  if (phase === 'exited' || phase === 'lost') return `it is ${phase}; restore it with: sm restore ${id}`;
  const screen = notRecognised(session);
  return `it is ${phase}${screen && `, ${screen}`}`;
}

/** The beginning of its text, on one line: enough to recognise it. */
export function beginning(text: string): string {
  return cut(oneLine(text.slice(0, 1000)), 120);
}

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
