// The history of contexts on the scripted agent in real tmux: samples by its own status line, a compaction, a handoff.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ContextsView, CurveView } from '../../src/protocol/context.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ config: { context_monitor: { warning_percentage: 40 } } });
});
afterAll(() => daemon.dispose());

it('a session that filled its context and was rotated has a curve and a list of contexts, also after it was killed', async () => {
  const id = await startIdle(daemon, 'history');
  const first = (await daemon.session(id)).context.provider_id;
  for (const [tokens, percentage] of [
    [40_000, 20],
    [100_000, 50],
  ] as const) {
    await sendText(daemon, id, `fill [[usage ${tokens}]]`);
    await daemon.until(id, is('usage sampled', { percentage }));
  }
  // The warning is a message like any other: its turn is waited for.
  const told = await daemon.until(
    id,
    ({ state, from }) => state === 'queued' && (from as { kind: string }).kind === 'sm',
  );
  await daemon.until(id, is('message answered', { message: told.message }));
  await daemon.untilSession(id, ({ phase }) => phase === 'idle');
  expect((await daemon.sm('slash', id, '/compact')).code).toBe(0);
  await daemon.until(id, is('compaction ended'));
  await daemon.untilSession(id, ({ phase }) => phase === 'idle');
  writeFileSync(join(daemon.work, 'on.md'), 'Go on.');
  await sendText(daemon, id, 'work [[bash sm handoff on.md]] [[say bye]]');
  await daemon.until(id, is('handoff done'));

  const { body: curve } = await daemon.call<CurveView>('GET', `/sessions/${id}/context`);
  expect(curve).toMatchObject({
    context: 2,
    marks: { warning: 40, critical: 65, monitored: true },
    more: false,
  });
  const ofFirst = curve.samples.filter(({ context }) => context === 1).map(({ percentage }) => percentage);
  expect(ofFirst.slice(0, 2)).toEqual([20, 50]);
  expect(curve.moments.map((moment) => moment.is)).toEqual([
    'launch',
    'warning',
    'compaction',
    'compacted',
    'handoff',
  ]);
  const { body: part } = await daemon.call<CurveView>('GET', `/sessions/${id}/context?limit=1`);
  expect([part.samples.length + part.moments.length, part.more]).toEqual([1, true]);
  const bad = await daemon.call('GET', `/sessions/${id}/context?since=yesterday`);
  expect(bad.status).toBe(400);

  const drawn = await daemon.sm('context', 'history');
  expect([drawn.code, drawn.stderr]).toEqual([0, '']);
  expect(drawn.stdout).toMatch(/^history \(.{8}\): context 2, /);
  expect(drawn.stdout).toContain(' 40%│');
  expect(drawn.stdout).toMatch(/! warning {3}C compaction {3}H handoff\n.*critical mark \(65 %\)/is);

  await daemon.call('POST', `/sessions/${id}/kill`, {});
  const { body: list } = await daemon.call<ContextsView>('GET', `/sessions/${id}/contexts`);
  expect(list.contexts).toMatchObject([
    {
      number: 1,
      provider_id: first,
      present: false,
      began_by: 'launch',
      ended_by: 'handoff',
      peak_percentage: 50,
      compactions: 1,
    },
    { number: 2, present: true, began_by: 'handoff', ended_by: 'killed' },
  ]);
  expect(list.contexts[0]?.cost_usd).toEqual(expect.any(Number));
  const listed = await daemon.sm('contexts', id);
  expect(listed.stdout).toMatch(/^1 .* launch .* handoff .* 50% /m);
  expect(listed.stdout).toMatch(/^2 .* handoff .* killed /m);
});
