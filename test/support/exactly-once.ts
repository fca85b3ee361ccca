// For property tests: nothing lost, nothing twice. Random lives of an agent, its human and our daemon, counted at the
// agent and at the senders.

import fc from 'fast-check';
import { expect } from 'vitest';
import { isReturned } from '../../src/domain/core/message.ts';
import { modes } from '../../src/domain/core/names.ts';
import { phaseOf } from '../../src/domain/core/session.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { openLane } from './lane.ts';
import { drain, type Life, restore, runEffect, wasReminded } from './life.ts';
import { aloneWith } from './session.ts';
import { stepName, steps } from './steps.ts';
import { createWorld, turnsOf } from './world.ts';

/** From here on everybody behaves: whatever is open must come to its end. */
async function comeToRest(life: Life): Promise<void> {
  const { lane, world } = life;
  for (let round = 0; round < 200; round += 1) {
    await drain(life);
    await restore(life);
    world.scrolled = false;
    world.answerPermission();
    world.finish();
    const { attempt, turn } = lane.state.session;
    const ours = attempt && [attempt.back?.draft, attempt.text, (attempt.back?.draft ?? '') + attempt.text];
    if (!turn?.interrupt && !ours?.includes(world.composer)) world.drop();
    for (let i = 0; i < 5; i += 1) await runEffect(life, 'none');
    await lane.wait(2_000);
    const { session, queue, active } = lane.state;
    const waiting = modes.flatMap((mode) => [...queue[mode].values()].filter((each) => !isReturned(each)));
    const open =
      waiting.length + active.size + lane.owed.length + world.hooks.length + world.transcript.length;
    if (open === 0 && phaseOf(session) === 'idle' && !world.turn && session.carried.length === 0) return;
  }
  throw new Error(`it does not come to rest: ${JSON.stringify(lane.state.session)}`);
}

function checkOnce({ lane, world }: Life): void {
  for (const id of lane.messages.keys()) {
    const turns = turnsOf(world, id);
    if (turns.length > 1) throw new Error(`${id} was taken in ${turns.join(' and ')}`);
  }
}

/** What may be told of a turn that really ended so. Of one that we cut nobody can say whether a human was faster. */
const truths: Readonly<Record<string, readonly string[]>> = {
  ended: ['answered'],
  interrupted: ['interrupted'],
  cut: ['cut-off', 'cleared', 'interrupted', 'unknown'],
  died: ['died'],
  untold: ['unknown', 'died', 'cleared'],
};

/** How many notices of its end, or of never having arrived, the sender of a message must have. */
function checkAtRest({ lane, world, posted }: Life, seen: Record<string, number>): void {
  const isInHumanHands = (id: string) => world.dropped.has(id) || world.returned.has(id);
  const truly = (id: string) => {
    const [turn = ''] = turnsOf(world, id);
    const how = [world.cutByUs.has(turn) && 'cut', world.untold.has(turn) && 'untold', world.ends.get(turn)];
    return how.filter(Boolean) as string[];
  };
  const isTrue = ([, how, told]: [string, string[], string]) =>
    how.some((each) => truths[each]?.includes(told)) ||
    (how.includes('cut') && wasReminded(lane)) ||
    // Of an end that nothing tells, an Escape of ours that went out meanwhile is the best that is known.
    (how.includes('untold') && world.cutByUs.size > 0 && told === 'cut-off');
  for (const [id, { state, from }] of lane.messages) {
    seen[state.is] = (seen[state.is] ?? 0) + 1;
    const times = turnsOf(world, id).length;
    // What a human has in his composer he may send, also when it is withdrawn.
    if (state.is === 'failed' || isInHumanHands(id)) expect(times, id).toBeLessThanOrEqual(1);
    else expect([id, state, times]).toEqual([id, state, 'turn' in state ? 1 : 0]);
    if ('turn' in state && !isInHumanHands(id)) expect([id, truly(id), state.is]).toSatisfy(isTrue);
    const notices = (posted.get(`peer-${id}`) ?? []).filter((text) => !text.includes('is blocked'));
    const last = notices.filter((text) => !text.includes('is back in its composer'));
    const isTold = from.kind === 'session' && state.is !== 'withdrawn' && state.is !== 'held';
    expect([id, state.is, last]).toEqual([id, state.is, isTold ? [expect.any(String)] : []]);
  }
}

async function live(
  canStash: boolean,
  names: readonly string[],
  seen: Record<string, number>,
): Promise<void> {
  const store = openSqliteStore(':memory:');
  try {
    const lane = await openLane(store, aloneWith({ stash: canStash }));
    const life = { lane, world: createWorld(() => lane.now), posted: new Map() };
    for (const name of names) {
      await steps[name]?.(life);
      checkOnce(life);
    }
    await comeToRest(life);
    checkOnce(life);
    checkAtRest(life, seen);
  } finally {
    await store.close();
  }
}

/** Every message is taken by the agent exactly once, and its sender told exactly once, whatever happens on the way. */
export async function checkLives(numRuns: number, seed: number): Promise<void> {
  const seen: Record<string, number> = {};
  const names = fc.array(stepName, { maxLength: 60, size: 'max' });
  const lives = fc.asyncProperty(fc.boolean(), names, (canStash, each) => live(canStash, each, seen));
  await fc.assert(lives, { numRuns, seed });
  // Lives in which nothing arrives would prove nothing.
  expect(seen.answered).toBeGreaterThan(numRuns / 3);
  expect(seen.failed ?? 0).toBeLessThan((seen.answered as number) / 20);
}
