// A month of a house full of sessions: what they are asked for, and what befalls them, day by day, drawn from a seed.
import type { Input } from '../../src/domain/core/input.ts';
import { quietly } from '../../src/domain/core/message.ts';
import { person } from '../../src/domain/core/names.ts';
import { isAlive } from '../../src/domain/core/session.ts';
import { type Dice, dice } from '../fuzz/dice.ts';
import { restoreIt, sent } from '../support/session.ts';
import type { House } from './house.ts';

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

export const paceOf = (seed: number) => {
  const d = dice(seed);
  return () => {
    const end = d.once(12) ? d.below(15) * minute + minute : d.below(60_000) + 2_000;
    return { tool: 1_000 + d.below(end), end: end + 1_500 };
  };
};

export const sessionsOf = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `s${String(i).padStart(3, '0')}`);

/** Puts what happens in one day on the agenda. */
export function planDay(house: House, ids: readonly string[], seed: number, perDay: number): void {
  const d = dice(seed);
  const began = house.clock.now();
  for (const id of ids) {
    // Each has its hour of the day, in which everything comes at once; for the rest of it nothing happens.
    const busy = d.below(day - 4 * hour);
    const soon = () => busy + d.below(8 * minute);
    for (let i = 0; i < perDay; i += 1) at(soon(), message(house, ids, id, d));
    for (const [often, deed] of deeds) if (d.once(often)) at(soon(), deed(house, ids, id, d));
  }
  for (let i = 0; i < 3; i += 1) at(d.below(day - hour), () => house.crash());

  function at(ms: number, what: () => unknown): void {
    house.agenda.add(began + ms, what);
  }
}

let numbers = 0;
const nextId = (): string => (++numbers).toString(16).padStart(8, '0');

type Deed = (house: House, ids: readonly string[], id: string, d: Dice) => () => unknown;

const message: Deed = (house, ids, id, d) => {
  const other = d.pick(ids);
  const isFromOther = other !== id && d.once(2);
  const mode = d.pick(['sequential', 'sequential', 'sequential', 'important', 'urgent'] as const);
  const remind = d.once(6) ? { soft: 180, hard: 300 } : null;
  return () => {
    const name = nextId();
    const from = isFromOther
      ? ({ kind: 'session', id: other, name: other } as const)
      : ({ kind: 'person' } as const);
    const notify = { ...quietly, turnEnd: isFromOther };
    return house.give(id, sent({ id: name, text: `do ${name}.`, from, mode, notify, remind }));
  };
};

/** Once in so many days. */
const deeds: readonly (readonly [number, Deed])[] = [
  [2, (house, _, id, d) => once(house, id, { seconds: 60 + d.below(7_200), every: null })],
  [9, (house, _, id, d) => recurring(house, id, d)],
  [2, (house, ids, id, d) => watch(house, id, d.pick(ids), 60 + d.below(3_600))],
  [2, (house, ids, id, d) => lock(house, id, d.pick(ids), `/work/${d.below(12)}`, d.below(2 * hour))],
  [
    3,
    (house, _, id) => () =>
      house.give(id, { type: 'handoff', by: self(id), path: `/notes/${nextId()}.md`, auto: false }),
  ],
  [4, (house, _, id) => () => house.give(id, { type: 'report', by: self(id), text: 'going on' })],
  [5, (house, _, id) => () => house.give(id, { type: 'clear', by: person, prompt: null })],
  [5, (house, _, id, d) => dies(house, id, d.below(20 * minute))],
  [12, (house, _, id, d) => killed(house, id, d.below(hour))],
  [4, (house, _, id) => () => house.move(id, (world) => world.askPermission())],
  [3, (house, _, id, d) => writes(house, id, d.below(3 * minute))],
  [4, (house, _, id) => () => house.move(id, (world) => world.alive && world.escape(true))],
];

const self = (id: string) => ({ kind: 'session', id }) as const;

function once(house: House, id: string, when: { seconds: number; every: number | null }, name = nextId()) {
  const input: Input = {
    type: 'remind-once',
    id: name,
    from: { kind: 'person' },
    text: `remember ${name}.`,
    ...when,
  };
  return () => house.give(id, input);
}

/** Every quarter of an hour, for a part of a day. */
function recurring(house: House, id: string, d: Dice) {
  const name = nextId();
  const begin = once(house, id, { seconds: 900, every: 900 }, name);
  const length = d.below(2 * hour);
  return async () => {
    await begin();
    house.agenda.add(house.clock.now() + length, () =>
      house.give(id, { type: 'cancel-reminder', by: person, id: name }),
    );
  };
}

const watch = (house: House, id: string, by: string, seconds: number) => () =>
  by === id ? undefined : house.give(id, { type: 'watch', id: nextId(), by, seconds });

const lock = (house: House, id: string, other: string, workspace: string, length: number) => async () => {
  const taken = await house.give(id, {
    type: 'lock',
    by: self(id),
    workspace,
    reason: 'work',
    enforced: false,
  });
  if (!taken) return;
  if (other !== id)
    await house.give(id, { type: 'await-lock', id: nextId(), by: other, seconds: 1_800, workspace });
  house.agenda.add(house.clock.now() + length, () => house.give(id, { type: 'unlock', by: self(id) }));
};

const dies = (house: House, id: string, away: number) => async () => {
  await house.move(id, (world) => world.die());
  house.agenda.add(house.clock.now() + away, () => restore(house, id));
};

const killed = (house: House, id: string, away: number) => async () => {
  await house.give(id, { type: 'kill', by: person });
  house.agenda.add(house.clock.now() + away, () => restore(house, id));
};

/** A line that the human leaves standing for a while. */
const writes = (house: House, id: string, length: number) => async () => {
  if (house.worlds.get(id)?.dialog) return;
  await house.move(id, (world) => world.type());
  house.agenda.add(house.clock.now() + length, () => house.move(id, (world) => world.drop()));
};

export async function restore(house: House, id: string): Promise<void> {
  const state = house.engine.get(id);
  if (state && isAlive(state.session)) return;
  await house.give(id, restoreIt);
}
