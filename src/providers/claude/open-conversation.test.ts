import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { idleSession } from '../../../test/support/session.ts';
import { openConversation } from './open-conversation.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-open-'));
  mkdirSync(join(folder, 'sessions'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const pid = 77;
const project = () => join(folder, 'projects', '-work');
const says = (record: object | string) =>
  writeFileSync(
    join(folder, 'sessions', `${pid}.json`),
    typeof record === 'string' ? record : JSON.stringify({ pid, procStart: 'then', ...record }),
  );

function session() {
  const s = idleSession();
  s.hear({ is: 'prompt-submitted', turnId: 'p1', transcriptPath: join(project(), 'c1.jsonl') });
  return s.state.session;
}

it('names the conversation that the process went on to, with its transcript beside the old one', async () => {
  says({ sessionId: 'c2' });
  expect((await openConversation(pid, session())).open).toEqual([
    { providerId: 'c1', transcriptPath: join(project(), 'c1.jsonl') },
    { providerId: 'c2', transcriptPath: join(project(), 'c2.jsonl') },
  ]);
});

it('has nothing to say of the one that is known', async () => {
  says({ sessionId: 'c1' });
  expect((await openConversation(pid, session())).open).toEqual([]);
});

it.each([
  ['is not there', null],
  ['is being written', '{"pid":77,"sess'],
  ['is of an earlier process of the same number', { sessionId: 'c2', procStart: 'long ago' }],
  ['names another process', { sessionId: 'c2', pid: 78 }],
])('believes no record that %s', async (_, record) => {
  if (record !== null) says(record);
  expect((await openConversation(pid, session())).open).toEqual([]);
});
