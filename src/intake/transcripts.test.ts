import { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { message, settled, type TestEngine, testEngine } from '../../test/support/engine.ts';
import { conversation, factOf } from '../../test/support/session.ts';
import { silentLog } from '../ports/log.ts';
import type { Provider } from '../ports/provider.ts';
import { readClaudeTranscript } from '../providers/claude/transcript.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { followTranscripts, type Transcripts } from './transcripts.ts';

let folder: string;
let path: string;
let engine: TestEngine;
let transcripts: Transcripts;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sm-transcripts-'));
  path = join(folder, 'transcript.jsonl');
  writeFileSync(path, '');
  engine = testEngine(openSqliteStore(join(folder, 'sm.db')));
  const provider = { transcript: readClaudeTranscript } as Partial<Provider>;
  transcripts = followTranscripts({
    engine,
    provider: () => provider as Provider,
    clock: engine.clock,
    log: silentLog,
  });
  engine.onCommit(transcripts.attend);
  engine.resume();
  await engine.createIdle('s1');
  await engine.hear(
    's1',
    factOf({ is: 'agent-started', providerId: `${conversation}-s1`, transcriptPath: path }),
  );
});
afterEach(async () => {
  await transcripts.close();
  await engine.store.close();
  rmSync(folder, { recursive: true });
});

const say = async (line: object) => {
  appendFileSync(path, `${JSON.stringify({ sessionId: `${conversation}-s1`, ...line })}\n`);
  await transcripts.catchUp('s1');
  await settled();
};
const prompt = (promptId: string) => say({ type: 'user', promptId, message: { content: 'by a human' } });
const end = () => say({ type: 'system', subtype: 'turn_duration' });
const place = () => engine.get('s1')?.session.context.transcript?.offset;

it('what the file tells after the end of a turn is heard, though a hook told the end', async () => {
  const hook = { providerId: `${conversation}-s1`, turnId: 'p1' };
  await engine.hear('s1', factOf({ is: 'prompt-submitted', text: 'x', ...hook }));
  await prompt('p1');
  await engine.hear('s1', factOf({ is: 'turn-ended', ...hook }));
  const usage = { input_tokens: 40, output_tokens: 2 };
  await say({ type: 'assistant', message: { id: 'msg_1', model: 'm', content: 'late', usage } });
  await end();
  await vi.waitFor(() => expect(place()).toBe(statSync(path).size));
  expect(engine.get('s1')?.session.spending?.models).toMatchObject([{ model: 'm', tokens: { input: 40 } }]);
});

it('the place is kept at the end of each turn, also while something else is open', async () => {
  await engine.submit('s1', message('m1'));
  await settled();
  await prompt('p1');
  await say({ type: 'assistant', message: { content: 'half of' } });
  expect(engine.get('s1')?.session).toMatchObject({ turn: { id: 'p1' }, attempt: expect.anything() });
  expect(place()).toBe(0);
  await end();
  await vi.waitFor(() => expect(place()).toBe(statSync(path).size));
  expect(engine.get('s1')?.session).toMatchObject({ turn: null, attempt: expect.anything() });
  const first = place();
  await prompt('p2');
  expect(place()).toBe(first);
});
