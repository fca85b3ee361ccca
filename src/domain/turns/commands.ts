// Commands of the agent's own, for a person who wants them: typed alone and one after the other, each into an idle
// agent. One that cannot go yet waits its turn, before the messages that come after it.

import type { Change } from '../core/change.ts';
import type { Input, Refusal } from '../core/input.ts';
import { type Attempt, type CommandUnderWay, effectOf, promptFor, type SlashCommand } from '../core/parts.ts';
import { conflict, invalid } from '../core/refusal.ts';
import { named, phaseOf } from '../core/session.ts';
import { beginAttempt } from '../delivery/attempt.ts';
import { pick } from '../delivery/queue.ts';
import { isThere } from './clear.ts';

/** They are stored with their session, and written with its every change. */
export const mostCommands = 20;

export function slash(
  c: Change,
  { id, command, by }: Extract<Input, { type: 'slash' }>,
): Refusal | undefined {
  const refusal = isThere(c);
  if (refusal) return refusal;
  if (!/^\/[^\s/][^\n\r\0\x1b]{0,500}$/.test(command))
    return invalid('A command starts with / and has one line.');
  const waiting = c.session.commands;
  if (waiting.length >= mostCommands)
    return conflict(`${mostCommands} commands already wait for the session, the most it can have.`, {
      is: 'too-many',
      of: 'commands',
      session: named(c.session),
      most: mostCommands,
    });
  const order = c.session.serial + 1;
  c.update({
    serial: order,
    commands: [...waiting, { id, text: command, order, is: 'waiting' }],
  });
  c.emit({ type: 'command', step: 'queued', id, command, by });
  return undefined;
}

/** Called after every input: sees what became of the one under way, and begins the next one if it may go. */
export function pursueCommands(c: Change): void {
  follow(c);
  const [next, ...rest] = c.session.commands;
  if (next?.is !== 'waiting' || !mayGo(c, next)) return;
  beginAttempt(c, [], { command: { kind: 'slash', text: next.text } });
  const { attempt } = c.session;
  if (attempt) c.update({ commands: [{ ...next, is: 'looking', attempt: attempt.id }, ...rest] });
}

function mayGo(c: Change, { order }: SlashCommand): boolean {
  const { attempt, takeover, clear, handoff, carried } = c.session;
  if (attempt || takeover || clear || promptFor(handoff) || carried.length > 0) return false;
  if (phaseOf(c.session) !== 'idle') return false;
  for (const message of pick(c, ['urgent', 'important', 'sequential']))
    if (message.mode === 'urgent' || message.order < order) return false;
  return true;
}

function follow(c: Change): void {
  const [head, ...rest] = c.session.commands;
  if (!head || head.is === 'waiting') return;
  const { attempt } = c.session;
  if (attempt?.id === head.attempt) {
    // What went out stays out, whatever is looked at or pressed after it.
    const is = head.is === 'typed' ? 'typed' : stepOf(attempt as Attempt);
    if (is === head.is) return;
    if (is === 'typed') c.emit({ type: 'command', step: 'typed', id: head.id, command: head.text });
    c.update({ commands: [{ ...head, is }, ...rest] });
    return;
  }
  // It was given up before any key went out.
  if (head.is === 'looking') {
    const { id, text, order } = head;
    c.update({ commands: [{ id, text, order, is: 'waiting' }, ...rest] });
    return;
  }
  const isTaken = head.is === 'sent' || (head.is === 'unsure' && c.session.compaction !== null);
  if (isTaken) c.emit({ type: 'command', step: 'typed', id: head.id, command: head.text });
  else if (head.is === 'unsure') fail(c, head, 'unknown whether it was typed: sm stopped at that moment');
  c.update({ commands: rest });
}

function stepOf(attempt: Attempt): CommandUnderWay['is'] {
  if (attempt.step === 'looking') return 'looking';
  if (attempt.doubt) return 'unsure';
  return effectOf(attempt) === null ? 'typed' : 'sent';
}

/** Nobody wants them any more; one whose keys are out, or on their way, is waited for. */
export function dropWaiting(c: Change, why: string): void {
  const commands = c.session.commands;
  const waits = ({ is }: SlashCommand) => is === 'waiting' || is === 'looking';
  if (!commands.some(waits)) return;
  for (const command of commands.filter(waits)) fail(c, command, why);
  c.update({ commands: commands.filter((command) => !waits(command)) });
}

/** There is nobody to type into any more. */
export function dropCommands(c: Change, why: string): void {
  const commands = c.session.commands;
  for (const command of commands) if (command.is !== 'typed') fail(c, command, why);
  if (commands.length > 0) c.update({ commands: [] });
}

function fail(c: Change, { id, text }: SlashCommand, why: string): void {
  c.emit({ type: 'command', step: 'failed', id, command: text, why });
}
