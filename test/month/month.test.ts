// A month of 200 sessions in virtual time: every rule holds after every input, nothing grows, and every promise of time is
// kept to the millisecond.
import { expect, it } from 'vitest';
import { phaseOf } from '../../src/domain/core/session.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { judge } from '../torture/judge.ts';
import { type House, openHouse } from './house.ts';
import { historyOf, late, sizesOf } from './looking-back.ts';
import { day, hour, paceOf, planDay, restore, sessionsOf } from './month.ts';

const days = Number(process.env.MONTH_DAYS ?? 30);
const count = Number(process.env.MONTH_SESSIONS ?? 200);
const perDay = Number(process.env.MONTH_MESSAGES ?? 2);
const seed = Number(process.env.MONTH_SEED ?? Date.now() % 1_000_000);
/** What ended longer ago is forgotten. */
const kept = 7 * day;

it(`${days} days with ${count} sessions, seed ${seed}: every rule holds, and nothing grows`, async () => {
  const store = openSqliteStore(':memory:');
  const house = await openHouse(store, paceOf(seed));
  const ids = sessionsOf(count);
  for (const [i, id] of ids.entries())
    await house.create(id, i % 5 === 0 ? null : (ids[i - (i % 5)] ?? null));
  const sizes: Record<string, number>[] = [];
  const began = house.clock.now();
  for (let today = 0; today < days; today += 1) {
    planDay(house, ids, seed + 31 * today, perDay);
    await house.until(began + (today + 1) * day);
    const now = house.clock.now();
    await store.forget({ ended: now - kept, facts: now - 2 * day }, async () => {});
    sizes.push(await sizesOf(house, store));
    expect(house.broken).toEqual([]);
  }
  await comeToRest(house, ids);
  const verdict = judge(historyOf(house, await store.load()));
  console.info(
    `${house.inputs} inputs, ${verdict.messages} messages ${JSON.stringify(verdict.states)}; at the end ${JSON.stringify(sizes.at(-1))}`,
  );
  expect(house.broken).toEqual([]);
  expect(verdict.faults).toEqual([]);
  expect(late(house)).toEqual([]);
  expect(verdict.states.answered).toBeGreaterThan(verdict.messages / 2);
  // Where half of the days are more than are kept, it is as large as it gets from then on.
  if ((days / 2) * day < kept) return;
  const [half, last] = [sizes[Math.floor(days / 2)], sizes.at(-1)];
  for (const [what, size] of Object.entries(last ?? {}))
    expect([what, size]).toSatisfy(([, is]) => is <= 1.25 * ((half?.[what] ?? 0) + 40));
  await store.close();
}, 3_600_000);

/** Everybody comes back and finishes; nothing is asked any more. */
async function comeToRest(house: House, ids: readonly string[]): Promise<void> {
  for (let round = 0; round < 60; round += 1) {
    for (const id of ids) {
      await restore(house, id);
      await house.move(id, (world) => {
        world.answerPermission();
        if (world.composer === 'x'.repeat(world.composer.length)) world.drop();
      });
    }
    await house.until(house.clock.now() + hour);
    const open = ids.filter((id) => phaseOf(house.engine.get(id)?.session as never) !== 'idle');
    if (open.length === 0 && round > 3) return;
  }
  throw new Error('it does not come to rest');
}
