// A team under a random life and random faults. In the end every message has come exactly once, in order, and its end is
// told truly.
import { expect, it } from 'vitest';
import { dice } from '../fuzz/dice.ts';
import { keepEvidence } from './evidence.ts';
import { faults } from './faults.ts';
import { readHistory } from './history.ts';
import { judge } from './judge.ts';
import { deeds } from './life.ts';
import { type Planned, planOf } from './plan.ts';
import { comeToRest } from './rest.ts';
import { openStage, type Stage } from './stage.ts';

const minutes = Number(process.env.TORTURE_MINUTES ?? 30);
const agents = Number(process.env.TORTURE_AGENTS ?? 20);
const seed = Number(process.env.TORTURE_SEED ?? Date.now() % 1_000_000);

it(`${minutes} minutes with ${agents} agents, seed ${seed}: nothing lost, doubled or untrue`, async () => {
  const plan = planOf(seed, { minutes, agents }, { deeds, faults });
  const stage = await openStage(agents, seed);
  try {
    for (const what of stage.machine.missing) console.info(what);
    const { wrong, begun } = await live(stage, plan);
    expect(wrong).toEqual([]);
    // What was asked for last may wait for somebody who comes back only now.
    await comeToRest(stage);
    await Promise.all(begun);
    expect(wrong).toEqual([]);
    const transcripts = new Map<string, string | null>();
    for (const id of stage.ids) transcripts.set(id, (await stage.session(id)).transcript_path);
    await stage.kept.letGo();
    await stage.daemon.stop();
    const verdict = judge(await readHistory(stage.daemon.home, stage.asked, transcripts));
    console.info(
      `${verdict.messages} messages ${JSON.stringify(verdict.states)}; ${stage.kept.deaths} deaths of the daemon, ${stage.kept.failedStarts.length} starts that failed; ${JSON.stringify(Object.fromEntries([...stage.tally].sort()))}`,
    );
    expect(verdict.faults).toEqual([]);
  } catch (error) {
    const where = await keepEvidence(stage, plan, error as Error);
    const again = `npm run torture -- --minutes ${minutes} --agents ${agents} --seed ${seed}`;
    console.info(`What there is to look at is in ${where}. The same plan again: ${again}`);
    throw error;
  } finally {
    await stage.close();
  }
});

/** Does what is planned, when it is planned; answers what went wrong with that itself, and what is still under way. */
async function live(
  stage: Stage,
  plan: readonly Planned[],
): Promise<{ wrong: string[]; begun: Set<Promise<void>> }> {
  const began = performance.now();
  const wrong: string[] = [];
  const begun = new Set<Promise<void>>();
  for (const planned of plan) {
    if (wrong.length > 0) break;
    await new Promise((resolve) => setTimeout(resolve, began + planned.at - performance.now()));
    const doing = perform(stage, planned)
      .catch((error: Error) => void wrong.push(`${planned.name}: ${error.stack}`))
      .finally(() => begun.delete(doing));
    begun.add(doing);
    // Not more at once than a team would do.
    if (begun.size > 4 * agents) await Promise.race(begun);
  }
  return { wrong, begun };
}

async function perform(stage: Stage, { is, name, number, seed: own }: Planned): Promise<void> {
  const d = dice(own);
  if (is === 'deed') {
    stage.note(name);
    await deeds[name]?.do(stage, d, number);
  } else if (await faults[name]?.do(stage, d)) stage.note(`FAULT ${name}`);
}
