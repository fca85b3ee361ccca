// Words are found in what real sessions were told and said, by whoever may, and still after a power cut.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { FoundView } from '../../src/protocol/search.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
}, 60_000);
afterAll(() => daemon?.dispose(), 60_000);

async function search(...args: string[]): Promise<FoundView> {
  const { stdout, stderr } = await daemon.sm('search', ...args, '--json');
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

it('messages and last words, the newest first, and also after the daemon was killed', async () => {
  const id = await startIdle(daemon, 'login');
  const { message_id: message } = await sendText(
    daemon,
    id,
    'look at the zebra [[say the zebra is striped]]',
  );
  await daemon.until(id, is('message answered', { message }));
  const { hits } = await search('zebra');
  expect(hits).toMatchObject([
    {
      kind: 'words',
      session_id: id,
      session_name: 'login',
      snippet: 'the zebra is striped',
      matched: 'zebra',
    },
    { kind: 'message', session_id: id, message_id: message, from: { kind: 'person' } },
  ]);
  await daemon.crash();
  await daemon.start();
  expect((await search('zebra')).hits).toEqual(hits);
  expect((await search('zebra', '--from', 'user')).hits).toHaveLength(1);
  expect((await search('"at the zebra"')).hits).toHaveLength(1);
  expect((await daemon.sm('search', 'zeb*')).stdout).toContain(`message #${message} from the user`);
});

it('each message that was taken is found once, however often the daemon is killed in between', async () => {
  const id = await startIdle(daemon, 'herd');
  const sent: string[] = [];
  for (let round = 0; round < 3; round += 1) {
    const texts = Array.from({ length: 15 }, (_, i) => `gnu ${round} ${i}`);
    sent.push(
      ...(await Promise.all(texts.map((text) => sendText(daemon, id, text)))).map((each) => each.message_id),
    );
    // The index is growing just now.
    await daemon.crash();
    await daemon.start();
  }
  const found = (await search('gnu', '--from', 'user', '--session', id, '-n', '200')).hits;
  expect(found.map((hit) => hit.message_id).sort()).toEqual(sent.sort());
}, 60_000);

it('an agent finds what its family wrote and was told, and nothing of others', async () => {
  const stranger = await startIdle(daemon, 'stranger');
  const parent = await startIdle(daemon, 'parent');
  const child = await startWith(daemon, 'count the walrus', { parent_session_id: parent, name: 'child' });
  await daemon.until(child, is('turn ended'));
  await sendText(daemon, stranger, 'feed the walrus');
  expect(new Set((await search('walrus', 'feed')).hits.map((hit) => hit.session_id))).toEqual(
    new Set([stranger]),
  );
  const { message_id: message } = await sendText(
    daemon,
    parent,
    `[[bash sm search walrus --json > found.json; sm search walrus --session ${stranger} > refused.txt 2>&1]]`,
  );
  await daemon.until(parent, is('message answered', { message }));
  const read = async (name: string) => readFileSync(join(daemon.work, name), 'utf8');
  const { hits } = JSON.parse(await read('found.json')) as FoundView;
  expect(hits.map((hit) => hit.session_id)).toContain(child);
  expect(hits.map((hit) => hit.session_id)).not.toContain(stranger);
  expect(await read('refused.txt')).toContain('Only a session in the family of stranger');
});

it('a handoff document, by its line', async () => {
  const id = await startIdle(daemon, 'writer');
  writeFileSync(join(daemon.work, 'notes.md'), '# Notes\n\nThe okapi is next.\n');
  await sendText(daemon, id, '[[bash sm handoff notes.md]]');
  await daemon.until(id, is('handoff done'));
  const { hits } = await search('okapi');
  expect(hits.filter(({ kind }) => kind === 'document')).toMatchObject([
    { session_id: id, line: 3, snippet: expect.stringContaining('The okapi is next.') },
  ]);
});

it('what an agent did in a turn, by the line of its transcript', async () => {
  const id = await startIdle(daemon, 'worker');
  const { message_id: message } = await sendText(daemon, id, '[[bash echo narwhal > out.txt]] [[say done]]');
  await daemon.until(id, is('message answered', { message }));
  // The last lines of a turn may be written after its end; they come with the next.
  const { message_id: next } = await sendText(daemon, id, 'go on');
  await daemon.until(id, is('message answered', { message: next }));
  const found = (await search('narwhal', '--session', id)).hits.filter(({ kind }) => kind === 'transcript');
  expect(found).toMatchObject([{ session_id: id, matched: 'narwhal' }]);
  const { path, line } = found[0] ?? {};
  expect(readFileSync(String(path), 'utf8').split('\n')[Number(line) - 1]).toContain('narwhal');
});

it('words that cannot be searched for are refused, and why', async () => {
  const { code, stderr } = await daemon.sm('search', '--', '-');
  expect(code).not.toBe(0);
  expect(stderr).toContain('Give at least one word');
});
