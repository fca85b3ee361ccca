// Plays a flow once undisturbed, to learn which points it passes, and then once for each of them with `kill -9` there
// and a restart. Counted at the agents: every message exactly once, every notice once.
import { expect } from 'vitest';
import { certainKinds, type Flow, kindOf, play, pointsOf } from './crash-flow.ts';
import type { CrashWorld } from './crash-world.ts';

/** `some`: which of the points are played; all of them unless given. Gives back how many, and at how many it died. */
export async function playMatrix(
  world: CrashWorld,
  flow: Flow,
  some?: (points: string[]) => string[],
): Promise<{ points: number; deaths: number }> {
  const marks: string[] = [];
  const wrong: unknown[] = [];
  const judge = (mark: string, point: string | null) => {
    const found = count(world, flow, mark);
    const wanted = { hand: flow.hand(mark), boss: flow.boss(mark) };
    if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push({ point, mark, found });
  };
  const tried = async (mark: string, point: string | null) => {
    try {
      return await play(world, flow, mark, point);
    } catch (error) {
      throw new Error(`at ${point}: ${(error as Error).message}\n${await world.screens()}`);
    }
  };
  const { passed } = await tried('m0x', null);
  judge('m0x', null);
  expect(passed.map(kindOf)).toEqual(expect.arrayContaining([...flow.passes]));
  const all = pointsOf(flow, passed);
  const points = some ? some(all) : all;
  const diedAt: string[] = [];
  for (const [i, point] of points.entries()) {
    const mark = `m${i + 1}x`;
    marks.push(mark);
    const { died } = await tried(mark, point);
    if (died) diedAt.push(kindOf(point));
    judge(mark, point);
  }
  // What a later case brings must not be of an earlier one.
  for (const mark of marks) judge(mark, 'at the end');
  expect(wrong).toEqual([]);
  const certain = some ? flow.passes : [...flow.passes, 'commit:before', 'commit:after'];
  for (const kind of certainKinds(points)) if (certain.includes(kind)) expect(diedAt).toContain(kind);
  return { points: points.length, deaths: diedAt.length };
}

/** What the agents have, beside what they must have. */
function count(world: CrashWorld, flow: Flow, mark: string) {
  const counted = (session: string, wanted: Record<string, number>) => {
    const taken = world.taken(session).join('\n');
    return Object.fromEntries(Object.keys(wanted).map((text) => [text, taken.split(text).length - 1]));
  };
  return {
    hand: counted(world.hand, flow.hand(mark)),
    boss: counted(world.boss, flow.boss(mark)),
  };
}
