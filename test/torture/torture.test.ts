// A team under a random life and random faults. In the end every message has come exactly once, in order, and its end is told truly.
import { expect, it } from 'vitest';
import { dice } from '../fuzz/dice.ts';
import { harm } from './faults.ts';
import { judge } from './judge.ts';
import { liveOn } from './life.ts';
import { comeToRest } from './rest.ts';
import { openStage } from './stage.ts';

const minutes = Number(process.env.TORTURE_MINUTES ?? 30);
const agents = Number(process.env.TORTURE_AGENTS ?? 20);
const seed = Number(process.env.TORTURE_SEED ?? Date.now() % 1_000_000);
/** Between two deeds of the whole team, and two faults, in ms. */
const pace = { deed: 1_500 / agents, fault: 6_000 };

it(`${minutes} minutes with ${agents} agents, seed ${seed}: nothing lost, doubled or untrue`, async () => {
  const d = dice(seed);
  const stage = await openStage(agents, d);
  try {
    const until = Date.now() + minutes * 60_000;
    const begun = new Set<Promise<void>>();
    const wrong: string[] = [];
    const every = async (ms: number, work: (number: number) => Promise<void>) => {
      for (let number = 0; Date.now() < until && wrong.length === 0; number += 1) {
        const doing = work(number)
          .catch((error: Error) => void wrong.push(error.message))
          .finally(() => begun.delete(doing));
        begun.add(doing);
        await new Promise((resolve) => setTimeout(resolve, d.below(2 * ms)));
        // Not more at once than a team would do.
        if (begun.size > 4 * agents) await Promise.race(begun);
      }
    };
    const lives = every(pace.deed, (number) => liveOn(stage, dice(seed + 7 * number), number));
    const harms = every(pace.fault, (number) => harm(stage, dice(seed + 11 * number)));
    await Promise.all([lives, harms]);
    await Promise.all(begun);
    expect(wrong).toEqual([]);
    await comeToRest(stage);
    const verdict = await judge(stage);
    console.info(
      `${verdict.messages} messages ${JSON.stringify(verdict.states)}; ${stage.kept.deaths} deaths of the daemon; ${JSON.stringify(Object.fromEntries(stage.tally))}`,
    );
    expect(verdict.faults).toEqual([]);
  } finally {
    await stage.close();
  }
});
