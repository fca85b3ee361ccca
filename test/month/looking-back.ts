// What is left of a month: as a history that the judge of the torture can read, how much of it is kept, and what was late.

import type { OwedEffect } from '../../src/domain/core/effect.ts';
import type { EventBody } from '../../src/domain/core/event.ts';
import type { State } from '../../src/domain/core/session.ts';
import type { Store } from '../../src/ports/store.ts';
import type { World } from '../support/world.ts';
import type { Entry } from '../torture/agent-log.ts';
import { grouped } from '../torture/case.ts';
import type { History } from '../torture/history.ts';
import type { House } from './house.ts';

export const historyOf = (
  house: House,
  { states, owed }: { states: State[]; owed: OwedEffect[] },
): History => ({
  asked: [],
  messages: [...house.messages.values()],
  events: house.events,
  states,
  owed,
  logs: new Map([...house.worlds].map(([id, world]) => [id, logOf(world)])),
  spooled: 0,
});

/** What the agent really took, and how its turns really ended. */
function logOf({ taken, ends }: World): Entry[] {
  const log: Entry[] = [];
  for (const [i, { text, turn, conversation }] of taken.entries()) {
    const isFirst = taken[i - 1]?.turn !== turn;
    log.push(isFirst ? { conversation, is: 'prompt', turn, text } : { conversation, is: 'absorbed', text });
    if (taken[i + 1]?.turn === turn) continue;
    const end = ends.get(turn);
    log.push({ conversation, is: 'said', text: `words of ${turn}`, last: end === 'ended' });
    if (end === 'ended') log.push({ conversation, is: 'stopped' });
    if (end === 'interrupted' || end === 'cut') log.push({ conversation, is: 'interrupted' });
  }
  return log;
}

/** How many there are of everything that could grow; the largest session in bytes. */
export async function sizesOf(house: House, store: Store): Promise<Record<string, number>> {
  const { states, owed } = await store.load();
  const bodies = states.map(({ session }) => JSON.stringify(session).length);
  const waiting = states.map(({ queue }) => queue.sequential.size + queue.important.size + queue.urgent.size);
  const after = Number.MAX_SAFE_INTEGER;
  const counted = await store.events({ after: 0, limit: after });
  return {
    events: counted.length,
    owed: owed.length,
    'largest queue': Math.max(...waiting),
    'largest session': Math.max(...bodies),
    'one-shots': states.reduce((sum, { session }) => sum + session.oneShots.length, 0),
    timers: house.clock.pending,
  };
}

type Of<Type extends EventBody['type']> = Extract<EventBody, { type: Type }>;

/** Promises of time that were not kept to the millisecond: one-shots, and reminders of turns that nothing held up. */
export function late(house: House): string[] {
  const found: string[] = [];
  for (const [session, events] of grouped(house.events, (each) => each.session)) {
    const due = new Map<string, { at: number; every: number | null }>();
    let wanted: { since: number; soft: number; hard: number } | null = null;
    for (const { at, body } of events) {
      if (body.type === 'one-shot') {
        const shot = body as Of<'one-shot'>;
        if (shot.step === 'set') due.set(shot.reminder, { at: shot.due, every: shot.every });
        const when = due.get(shot.reminder);
        if (shot.step === 'sent' && when) {
          if (at !== when.at)
            found.push(`one-shot ${shot.reminder} of ${session} came ${at - when.at} ms late`);
          if (when.every !== null) due.set(shot.reminder, { ...when, at: when.at + when.every * 1_000 });
        }
      }
      // What stands still while a human or a handoff keeps the agent from reporting is not late.
      if (['question', 'handoff', 'session', 'context'].includes(body.type)) wanted = null;
      if (body.type !== 'reminder') continue;
      if (body.step === 'started') wanted = { since: at, soft: body.soft, hard: body.hard };
      if (body.step === 'restarted' && wanted) wanted = { ...wanted, since: at };
      if (body.step === 'ended') wanted = null;
      if (body.step === 'sent' && wanted) {
        const when: number = wanted.since + wanted[body.kind] * 1_000;
        if (at !== when) found.push(`the ${body.kind} reminder of ${session} came ${at - when} ms late`);
        if (body.kind === 'hard') wanted = { ...wanted, since: at };
      }
    }
  }
  return found;
}
