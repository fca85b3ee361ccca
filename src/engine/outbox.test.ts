import { expect, it, vi } from 'vitest';
import type { EffectResult, OwedEffect } from '../domain/core/effect.ts';
import type { Session } from '../domain/core/session.ts';
import { silentLog } from '../ports/log.ts';
import { createOutbox } from './outbox.ts';

const enter: OwedEffect = {
  id: 'e1',
  sessionId: 's1',
  effect: { do: 'submit', text: null, stash: false, erase: 0, cursor: { x: 0, y: 0 } },
};
const ourEscape: OwedEffect = { id: 'e2', sessionId: 's1', effect: { do: 'escape', cursor: null } };

/** The results, and what was run for them, while the session waits for these effects. */
async function results(owed: OwedEffect, session: { attempt?: string; interrupt?: string }) {
  const ran: string[] = [];
  const told: EffectResult[] = [];
  const outbox = createOutbox({
    runner: {
      async run({ id, effect }) {
        ran.push(id);
        return { of: effect.do, outcome: 'typed' } as EffectResult;
      },
    },
    crash: () => {},
    log: silentLog,
    stored: async () => undefined,
    session: () =>
      ({
        attempt: session.attempt ? { awaits: { effect: session.attempt } } : null,
        turn: session.interrupt ? { interrupt: { awaits: { effect: session.interrupt } } } : null,
      }) as Session,
    result: async (_, input) => void (input.type === 'result' && told.push(input.result)),
    tellOther: async () => ({ of: 'post', outcome: 'posted' }),
  });
  outbox.add(owed);
  await vi.waitFor(() => expect(told).toHaveLength(1));
  return { ran, told: told[0] };
}

it.each([
  ['an Enter', enter, { attempt: 'e1' }],
  ['an Escape', ourEscape, { interrupt: 'e2' }],
] as const)('presses %s that is waited for', async (_, owed, session) => {
  expect(await results(owed, session)).toEqual({
    ran: [owed.id],
    told: { of: owed.effect.do, outcome: 'typed' },
  });
});

// The agent has the text by now: what stands in the composer is the human's, perhaps the same words, taken back.
it.each([
  ['an Enter', enter, {}],
  ['an Enter', enter, { attempt: 'another' }],
  ['an Escape', ourEscape, {}],
  ['an Escape', ourEscape, { interrupt: 'another' }],
] as const)('does not press %s that nobody waits for any more', async (_, owed, session) => {
  expect(await results(owed, session)).toEqual({ ran: [], told: { of: owed.effect.do, outcome: 'changed' } });
});
