// The crash matrix of a standstill: `kill -9` at every point between the error that tells of the limit and the end of the
// turn that goes on after the reset. Counted at the agent: it is told to go on exactly once.

import { expect, it } from 'vitest';
import { certainKinds, type Flow, kindOf, play, pointsOf } from '../support/crash-flow.ts';
import { told } from '../support/crash-steps.ts';
import { createCrashWorld } from '../support/crash-world.ts';

const resume = '[sm limit] Your usage limit has reset.';
const passes = ['effect:look:before', 'effect:submit:before', 'effect:submit:after', 'commit:after'];

const flow: Flow = {
  async run(world, mark) {
    await world.ask(
      `/sessions/${world.hand}/input`,
      { text: `first ${mark} [[limit 100 3]] [[say done]]`, sender_session_id: world.boss },
      ({ state, from }) => state === 'queued' && (from as { id?: string }).id === world.boss,
    );
    await world.event(world.hand, 'limit resumed');
    await told(world);
  },
  hand: (mark) => ({ [`first ${mark} [[`]: 1, [resume]: 1 }),
  boss: () => ({ 'hand (': 1, 'hand stopped:': 1 }),
  passes,
};

it('a session at its limit goes on exactly once, wherever its daemon dies', async () => {
  const world = await createCrashWorld();
  try {
    const wrong: unknown[] = [];
    const judged = async (mark: string, point: string | null) => {
      await world.begin(null);
      const had = { hand: world.taken(world.hand).length, boss: world.taken(world.boss).length };
      const counted = (agent: 'hand' | 'boss', wanted: Record<string, number>) => {
        const taken = world.taken(world[agent]).slice(had[agent]);
        const times = (text: string) => taken.filter((prompt) => prompt.includes(text)).length;
        return Object.fromEntries(Object.keys(wanted).map((text) => [text, times(text)]));
      };
      const played = await play(world, flow, mark, point);
      const wanted = { hand: flow.hand(mark), boss: flow.boss(mark) };
      const found = { hand: counted('hand', wanted.hand), boss: counted('boss', wanted.boss) };
      if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push({ point, mark, found });
      expect((await world.surely(() => world.daemon.session(world.hand))).limit).toBeNull();
      return played;
    };
    const { passed } = await judged('m0x', null);
    expect(passed.map(kindOf)).toEqual(expect.arrayContaining(passes));
    const points = pointsOf(flow, passed);
    const diedAt = new Set<string>();
    for (const [i, point] of points.entries())
      if ((await judged(`m${i + 1}x`, point)).died) diedAt.add(kindOf(point));
    expect(wrong).toEqual([]);
    for (const kind of certainKinds(points)) if (passes.includes(kind)) expect(diedAt).toContain(kind);
  } finally {
    await world.daemon.dispose();
  }
}, 2_400_000);
