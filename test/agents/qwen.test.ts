// What is particular to an agent that is told things by a file: a torn line, a half-typed line, and the interrupt, which is
// typed.
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pane } from '../conformance/provider/stage.ts';
import { type ModelServer, startChatServer } from '../model/chat.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startWith } from '../support/talk.ts';
import { prepareQwenHome } from './qwen-home.ts';

let daemon: TestDaemon;
let model: ModelServer;
let root: string;
let id: string;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'sm-qwen-'));
  model = await startChatServer();
  const { env, cwd } = prepareQwenHome(root, model.url);
  daemon = await startTestDaemon({ config: { qwen: { command: process.env.SM_TEST_QWEN ?? '' } } });
  id = await startWith(daemon, 'hello [[say ready]]', { provider: 'qwen', working_dir: cwd, env });
  await daemon.until(id, is('turn ended'));
});
afterAll(async () => {
  await daemon?.dispose();
  await model?.close();
  rmSync(root, { recursive: true, force: true, maxRetries: 5 });
});

const answered = async (text: string, mode = 'sequential'): Promise<string> => {
  const { message_id } = await sendText(daemon, id, text, { delivery_mode: mode });
  await daemon.until(id, is('message answered', { message: message_id }));
  return message_id;
};
const givenToModel = (words: string): number =>
  (model.requests().at(-1)?.human ?? []).filter((text) => text.includes(words)).length;

async function shown(fits: (rows: string) => boolean): Promise<void> {
  for (const deadline = Date.now() + 60_000; ; ) {
    const rows = await daemon.tmux('capture-pane', '-p', '-t', pane(id));
    if (fits(rows)) return;
    if (Date.now() > deadline) throw new Error(`the pane never showed it:\n${rows}`);
  }
}

it('half a line that somebody died over does no harm to the next one', async () => {
  const folder = join(daemon.home, 'sessions', id, 'qwen');
  const input = join(folder, readdirSync(folder)[0] as string, 'in');
  appendFileSync(input, '{"type":"submit","text":"never who');
  await answered('after the torn line [[say whole]]');
  expect(givenToModel('after the torn line')).toBe(1);
  expect(givenToModel('never who')).toBe(0);
});

it('a half-typed line stays where it is, and holds back only what interrupts', async () => {
  await daemon.tmux('send-keys', '-t', pane(id), '-l', 'half a thought');
  await shown((rows) => rows.includes('half a thought'));
  await answered('meanwhile [[say ok]]');
  await shown((rows) => rows.includes('half a thought'));

  const { message_id: first } = await sendText(daemon, id, 'stream [[sleep 60]]');
  await daemon.until(id, is('message accepted', { message: first }));
  await model.waitForRequest(({ prompt }) => prompt.includes(`#${first}:`));
  const { message_id } = await sendText(daemon, id, 'stop [[say stopped]]', { delivery_mode: 'urgent' });
  await daemon.until(id, is('message held', { message: message_id, why: 'draft' }));
  await shown((rows) => rows.includes('half a thought'));
  for (const _ of 'half a thought') await daemon.tmux('send-keys', '-t', pane(id), 'BSpace');
  await daemon.until(id, is('message answered', { message: message_id }));
  expect(givenToModel('half a thought')).toBe(0);
  expect(givenToModel('stream [[sleep 60]]')).toBe(1);
});
