// The ends of turns on the real agents when their hooks die, and when their transcripts stop in the middle.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { startResponsesServer } from '../model/responses.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { jsonLines } from '../support/json-lines.ts';
import { is, sendText } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { prepareClaudeHome } from './claude-home.ts';
import { prepareCodexHome } from './codex-home.ts';
import { makeShims, type Shims } from './shims.ts';

const { root, keep } = tidy('endings');
let daemon: TestDaemon;
let claudeModel: Awaited<ReturnType<typeof startModelServer>>;
let codexModel: Awaited<ReturnType<typeof startResponsesServer>>;
let made = 0;

beforeAll(async () => {
  claudeModel = keep(await startModelServer());
  codexModel = keep(await startResponsesServer());
  daemon = keep(
    await startTestDaemon({
      config: {
        claude: { command: process.env.SM_TEST_CLAUDE ?? '', args: ['--dangerously-skip-permissions'] },
        codex: { command: process.env.SM_TEST_CODEX ?? '' },
      },
    }),
  );
});

type Kind = 'claude' | 'codex';

async function start(kind: Kind, wanted: Parameters<typeof makeShims>[1]) {
  const folder = join(root, String((made += 1)));
  const { env, cwd } =
    kind === 'claude' ? prepareClaudeHome(folder, claudeModel.url) : prepareCodexHome(folder, codexModel.url);
  const shims = makeShims(join(folder, 'shims'), wanted);
  const { status, body } = await daemon.call<{ id: string }>('POST', '/sessions', {
    provider: kind,
    working_dir: cwd,
    env: { ...env, PATH: `${shims.folder}:${env.PATH}` },
  });
  expect(status, JSON.stringify(body)).toBe(200);
  await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
  return { id: body.id, shims };
}

/** What the agent has written of its own transcript, as far as a test wants it to be known. */
async function copyUntil(shims: Shims, copy: string, isLast: (line: string) => boolean): Promise<void> {
  const lines = await until('the last line that is wanted', () => {
    const path = shims.transcript();
    const all = path ? jsonLines(path).map((line) => JSON.stringify(line)) : [];
    const last = all.findIndex(isLast);
    return last < 0 ? undefined : all.slice(0, last + 1);
  });
  writeFileSync(copy, lines.map((line) => `${line}\n`).join(''));
}

const text = 'hello [[say all is well]]';
const turnEnd = (id: string) => daemon.until(id, is('turn ended'));

describe.each(['claude', 'codex'] as const)('%s', (kind) => {
  it('whose hook dies before it has read what it is told: its transcript tells the end', async () => {
    const { id } = await start(kind, { kill: { hook: 'Stop', at: 'cat' } });
    const { message_id } = await sendText(daemon, id, text);
    expect(await turnEnd(id)).toMatchObject({
      end: 'ended',
      last_words: 'all is well',
      evidence: { source: 'transcript' },
    });
    await daemon.until(id, is('message answered', { message: message_id }));
  });
});

describe('claude', () => {
  it('whose hook dies when it is about to tell the end: it was kept before', async () => {
    const copy = join(root, 'kept.jsonl');
    const { id } = await start('claude', { kill: { hook: 'Stop', at: 'curl' }, transcript: copy });
    await sendText(daemon, id, text);
    expect(await turnEnd(id)).toMatchObject({
      end: 'ended',
      last_words: 'all is well',
      evidence: { source: 'hook' },
    });
  });

  it('whose transcript stops after its last words, without a hook: believed within five seconds', async () => {
    const copy = join(root, 'torn-late.jsonl');
    const { id, shims } = await start('claude', { kill: { hook: 'Stop', at: 'cat' }, transcript: copy });
    const { message_id } = await sendText(daemon, id, text);
    const later = await sendText(daemon, id, 'next [[say next]]');
    await copyUntil(shims, copy, (line) => /"stop_reason":"end_turn"/.test(line));
    const told = Date.now();
    expect(await turnEnd(id)).toMatchObject({
      end: 'ended',
      last_words: 'all is well',
      evidence: { source: 'transcript' },
    });
    expect(Date.now() - told).toBeLessThan(5_000);
    await daemon.until(id, is('message answered', { message: message_id }));
    await daemon.until(id, is('message accepted', { message: later.message_id }));
  });

  it('whose transcript stops before its last words, without a hook: nobody knows how its turn ended', async () => {
    const copy = join(root, 'torn-early.jsonl');
    const { id, shims } = await start('claude', { kill: { hook: 'Stop', at: 'cat' }, transcript: copy });
    const { message_id } = await sendText(daemon, id, text);
    await copyUntil(shims, copy, (line) => /"type":"user"/.test(line));
    expect(await turnEnd(id)).toMatchObject({ end: 'unknown', evidence: { source: 'screen' } });
    await daemon.until(id, is('message unknown', { message: message_id }));
  });

  it('that a human interrupts while its transcript is torn: the screen is evidence of it', async () => {
    const copy = join(root, 'torn-cut.jsonl');
    const { id, shims } = await start('claude', { transcript: copy });
    const { message_id } = await sendText(daemon, id, 'long [[sleep 60]]');
    await copyUntil(shims, copy, (line) => /"type":"user"/.test(line));
    await until('words on the screen', async () =>
      /word3/.test(await daemon.tmux('capture-pane', '-p', '-t', `=sm-${id}:`)),
    );
    await daemon.tmux('send-keys', '-t', `=sm-${id}:`, 'Escape');
    expect(await turnEnd(id)).toMatchObject({ end: 'interrupted', evidence: { source: 'screen' } });
    await daemon.until(id, is('message interrupted', { message: message_id }));
  });
});

describe('codex', () => {
  it('whose rollout stops in the middle: its Stop hook has the last words', async () => {
    const copy = join(root, 'codex-torn.jsonl');
    writeFileSync(copy, '');
    const { id } = await start('codex', { transcript: copy });
    const { message_id } = await sendText(daemon, id, text);
    expect(await turnEnd(id)).toMatchObject({ end: 'ended', last_words: 'all is well' });
    await daemon.until(id, is('message answered', { message: message_id }));
  });

  it('whose rollout stops and whose hook dies: nobody knows how its turn ended', async () => {
    const copy = join(root, 'codex-silent.jsonl');
    writeFileSync(copy, '');
    const { id } = await start('codex', { kill: { hook: 'Stop', at: 'cat' }, transcript: copy });
    const { message_id } = await sendText(daemon, id, text);
    const end = await daemon.until(id, is('message unknown', { message: message_id }));
    expect(end.why).toBe('how its turn ended is unknown');
  });
});
