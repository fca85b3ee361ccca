// Commands of the agent's own, for a person who wants them: typed alone and one after the other, each into an idle
// agent. One that cannot go yet waits its turn, before the messages that come after it.
import { beginAttempt } from './attempt.ts';
import { isThere } from './clear.ts';
import { pick } from './delivery.ts';
import type { Draft } from './draft.ts';
import type { Input, Refusal } from './input.ts';
import type { Attempt } from './message.ts';
import { phaseOf, type Session } from './session.ts';

export interface Command {
  readonly id: string;
  readonly text: string;
  /** Its place among the messages. */
  readonly order: number;
  /**
   * `looking`: its attempt looks at the pane. `sent`: its keys are to go out. `typed`: they went out. `unsure`: we died
   * in between, and nobody can say.
   */
  readonly is: 'waiting' | 'looking' | 'sent' | 'typed' | 'unsure';
  /** The attempt that is under way for it. */
  readonly attempt: string | null;
}

/** They are stored with their session, whose every change costs what they weigh. */
export const mostCommands = 20;

export const commandsOf = ({ commands = [] }: Session): readonly Command[] => commands;

export function slash(d: Draft, { id, command, by }: Extract<Input, { type: 'slash' }>): Refusal | undefined {
  const refusal = isThere(d);
  if (refusal) return refusal;
  if (!/^\/[^\s/][^\n\r\0\x1b]{0,500}$/.test(command))
    return { code: 'invalid', message: 'A command begins with / and is one line.' };
  const waiting = commandsOf(d.session);
  if (waiting.length >= mostCommands)
    return {
      code: 'conflict',
      message: `${mostCommands} commands wait for the session already, which are the most. See: sm queue ${d.session.id}`,
    };
  const order = d.session.serial + 1;
  d.update({
    serial: order,
    commands: [...waiting, { id, text: command, order, is: 'waiting', attempt: null }],
  });
  d.emit({ type: 'command-queued', id, command, by });
  return undefined;
}

/** Called after every input: sees what became of the one under way, and begins the next one if it may go. */
export function pursueCommands(d: Draft): void {
  follow(d);
  const [next, ...rest] = commandsOf(d.session);
  if (next?.is !== 'waiting' || !mayGo(d, next)) return;
  beginAttempt(d, [], { command: { kind: 'slash', text: next.text } });
  const attempt = d.session.attempt?.id ?? null;
  d.update({ commands: [{ ...next, is: 'looking', attempt }, ...rest] });
}

function mayGo(d: Draft, { order }: Command): boolean {
  const { attempt, interrupt, clear, handoff, carried } = d.session;
  if (attempt || interrupt || clear || handoff?.message || carried.length > 0) return false;
  if (phaseOf(d.session) !== 'idle') return false;
  for (const message of pick(d, ['urgent', 'important', 'sequential']))
    if (message.mode === 'urgent' || message.order < order) return false;
  return true;
}

function follow(d: Draft): void {
  const [head, ...rest] = commandsOf(d.session);
  if (!head || head.is === 'waiting') return;
  const { attempt } = d.session;
  if (attempt?.id === head.attempt) {
    // What went out stays out, whatever is looked at or pressed after it.
    const is = head.is === 'typed' ? 'typed' : stepOf(attempt as Attempt);
    if (is === head.is) return;
    if (is === 'typed') d.emit({ type: 'command-typed', id: head.id, command: head.text });
    d.update({ commands: [{ ...head, is }, ...rest] });
    return;
  }
  // Given up before any key went out: it waits again.
  if (head.is === 'looking') {
    d.update({ commands: [{ ...head, is: 'waiting', attempt: null }, ...rest] });
    return;
  }
  const isTaken = head.is === 'sent' || (head.is === 'unsure' && d.session.compaction !== null);
  if (isTaken) d.emit({ type: 'command-typed', id: head.id, command: head.text });
  else if (head.is === 'unsure')
    fail(d, head, 'nobody can say whether it was typed: sm ended at that moment');
  d.update({ commands: rest });
}

function stepOf({ step, effect, doubt }: Attempt): Command['is'] {
  if (step === 'looking') return 'looking';
  if (doubt) return 'unsure';
  return effect === null ? 'typed' : 'sent';
}

/** Nobody wants them any more; one whose keys are out, or on their way, is waited for. */
export function dropWaiting(d: Draft, why: string): void {
  const commands = commandsOf(d.session);
  const waits = ({ is }: Command) => is === 'waiting' || is === 'looking';
  if (!commands.some(waits)) return;
  for (const command of commands.filter(waits)) fail(d, command, why);
  d.update({ commands: commands.filter((command) => !waits(command)) });
}

/** There is nobody to type into any more. */
export function dropCommands(d: Draft, why: string): void {
  const commands = commandsOf(d.session);
  for (const command of commands) if (command.is !== 'typed') fail(d, command, why);
  if (commands.length > 0) d.update({ commands: [] });
}

function fail(d: Draft, { id, text }: Command, why: string): void {
  d.emit({ type: 'command-failed', id, command: text, why });
}
