// Three machines and a cluster of three servers, each in a network namespace of its own, while links are cut, servers are killed and
// daemons die. FLEET_SEED=N repeats a run; FLEET_ROUNDS says how many things break in it.
import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { canMakeNetworks } from './network.ts';
import { faults, startTeam, type Team } from './random-team.ts';

const canRun = await canMakeNetworks();
const seed = Number(process.env.FLEET_SEED ?? randomInt(1_000_000));
const rounds = Number(process.env.FLEET_ROUNDS ?? 8);
let team: Team | null = null;

afterEach(async () => {
  await team?.dispose();
  team = null;
});

/** Numbers below 1 that follow from the seed. */
function chance(from: number): () => number {
  let state = from >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

test.runIf(canRun)(
  `whatever breaks, nothing is lost or comes twice, and the order is kept (seed ${seed})`,
  async () => {
    const next = chance(seed);
    const pick = <T>(of: readonly T[]): T => of[Math.floor(next() * of.length)] as T;
    team = await startTeam(pick);
    const breaks = faults(team);
    const steps = [team.message, team.message, team.message, team.wait, team.spawn];
    for (let round = 0; round < rounds; round += 1) {
      const name = pick(Object.keys(breaks));
      // Most are over before anybody is taken for away; some are not.
      const seconds = pick([0.2, 1, 3, 6, 14]);
      const mended = breaks[name]?.(seconds);
      const during = Array.from({ length: 2 + Math.floor(next() * 3) }, () => pick(steps));
      for (const step of during) {
        await delay(next() * 500);
        await step();
      }
      await mended;
      await pick(steps)();
    }
    await team.judge();
  },
  1_200_000,
);

test.runIf(canRun)(
  'links that are cut for more than a minute only make mail wait',
  async () => {
    team = await startTeam((of) => of[0] as never);
    const [, gpu1] = team.machines;
    for (const state of ['cut', 'mute'] as const) {
      await team.message();
      await gpu1?.become(state);
      await team.message();
      await delay(75_000);
      await team.message();
      expect((await team.nodes[0].sm('nodes')).stdout).toMatch(/gpu1 +away/);
      await gpu1?.become('open');
      await team.message();
    }
    await team.judge();
  },
  600_000,
);
