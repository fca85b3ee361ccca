// A digest of what real sessions did, before and after the daemon was killed.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DigestView } from '../../src/protocol/digest.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
}, 60_000);
afterAll(() => daemon?.dispose(), 60_000);

async function digest(...args: string[]): Promise<DigestView> {
  const { stdout, stderr } = await daemon.sm('digest', ...args, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('who waits comes first, and the same is told after the daemon was killed', async () => {
  const lead = await startIdle(daemon, 'lead');
  const worker = await startWith(daemon, '[[say the page is done]]', {
    parent_session_id: lead,
    name: 'worker',
  });
  await daemon.until(worker, is('turn ended'));
  const asker = await startWith(daemon, '[[ask rm -r build]]', { name: 'asker' });
  await daemon.until(asker, is('question asked'));
  // It hears of its worker, and answers that.
  await daemon.until(lead, is('turn ended'));
  const told = await digest();
  expect(told.totals).toMatchObject({ waiting: 1, started: 3, asked: 1 });
  expect(told.families.map(({ name }) => name)).toEqual(['asker', 'lead']);
  expect(told.families[1]?.sessions.find(({ name }) => name === 'worker')).toMatchObject({
    parent_session_id: lead,
    turns: { finished: 1 },
    last_words: { text: 'the page is done' },
  });
  const { stdout } = await daemon.sm('digest');
  expect(stdout).toMatch(/^Since .* 1 waits for you, 3 sessions started/);
  expect(stdout).toContain(`◐ asker (${asker}) asks you`);
  await daemon.crash();
  await daemon.start();
  const again = await digest();
  expect(again.families).toEqual(told.families);
});

it('an agent hears of its own family, also of what was killed', async () => {
  const manager = await startIdle(daemon, 'manager');
  const child = await startWith(daemon, '[[say done]]', { parent_session_id: manager, name: 'child' });
  await daemon.until(child, is('turn ended'));
  await daemon.call('POST', `/sessions/${child}/kill`);
  await daemon.until(child, is('session exited'));
  const { message_id: message } = await sendText(daemon, manager, '[[bash sm digest --json > digest.json]]');
  await daemon.until(manager, is('message answered', { message }));
  const { families } = JSON.parse(readFileSync(join(daemon.work, 'digest.json'), 'utf8')) as DigestView;
  expect(families.map(({ id }) => id)).toEqual([manager]);
  expect(families[0]?.sessions.find(({ session_id }) => session_id === child)).toMatchObject({
    ended: { by: { kind: 'person' } },
  });
});
