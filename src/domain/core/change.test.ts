import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { settings, testSession } from '../../../test/support/session.ts';
import { apply, beginChange, type Change, type Decision } from './change.ts';
import { type Message, type MessageState, quietly } from './message.ts';
import { modes } from './names.ts';
import type { State } from './session.ts';

const stateNames: MessageState[] = [
  { is: 'queued' },
  { is: 'held', why: 'draft', since: 1 },
  { is: 'typed', attempt: 'a1', at: 1 },
  { is: 'answered', at: 1, turn: null },
];

const message = (order: number, state: MessageState): Message => ({
  id: `m${order}`,
  to: 's1',
  from: { kind: 'person' },
  text: '',
  shown: null,
  headed: true,
  notify: quietly,
  remind: null,
  evenCompacting: false,
  mode: modes[order % 3] as Message['mode'],
  createdAt: 0,
  order,
  state,
});

type Steps = readonly (readonly [number, MessageState])[];

const snapshot = ({ session, queue, active }: State) => ({
  session,
  queue: modes.map((mode) => [...queue[mode].values()]),
  active: [...active.values()].sort((a, b) => a.order - b.order),
});

describe('a decision', () => {
  const steps = fc.array(fc.tuple(fc.integer({ min: 1, max: 8 }), fc.constantFrom(...stateNames)), {
    maxLength: 30,
  });

  it('that is undone leaves the state as it was, in the order that it had', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const state = eightWaiting();
        apply(state, decisionOf(state, before));
        const was = snapshot(state);
        const undo = apply(state, decisionOf(state, after));
        undo();
        expect(snapshot(state)).toEqual(was);
      }),
      { numRuns: 300 },
    );
  });

  it('shows the next step what the last one wrote, before anything is applied', () => {
    fc.assert(
      fc.property(steps, steps, (before, after) => {
        const state = eightWaiting();
        apply(state, decisionOf(state, before));
        const c = beginChange(state, 0, settings);
        write(c, after);
        const seen = modes.map((mode) => [...c.waiting(mode)]);
        apply(state, c.done());
        expect(seen).toEqual(snapshot(state).queue);
      }),
      { numRuns: 300 },
    );
  });
});

function eightWaiting(): State {
  const { state } = testSession();
  const c = beginChange(state, 0, settings);
  for (let order = 1; order <= 8; order += 1) c.put(message(order, { is: 'queued' }));
  apply(state, c.done());
  return state;
}

function decisionOf(state: State, steps: Steps): Decision {
  const c = beginChange(state, 0, settings);
  write(c, steps);
  return c.done();
}

/** A message that has ended never comes back. */
function write(c: Change, steps: Steps): void {
  for (const [order, to] of steps) if (c.message(`m${order}`)) c.put(message(order, to));
}
