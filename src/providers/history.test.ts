import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claudeHistory } from './claude/history.ts';
import { codexHistory } from './codex/history.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-history-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const id = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

/** Modified at that second. */
function write(path: string, seconds: number, ...lines: object[]): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  utimesSync(join(root, path), seconds, seconds);
}

const headsOf = async (history: ReturnType<typeof claudeHistory>) =>
  Promise.all((await history.files({})).map(async (file) => [file.providerId, await history.head(file)]));

describe('the record of Claude Code', () => {
  const history = () => claudeHistory(() => root);
  const prompt = (content: string, cwd = '/shop') => ({
    ...{ type: 'user', sessionId: 's', promptId: 'p', cwd, message: { content } },
  });

  it('is read by its beginning, the newest first', async () => {
    write(`projects/-shop/${id(1)}.jsonl`, 10, { type: 'mode' }, prompt('fix the login'), prompt('more'));
    write(`projects/-api/${id(2)}.jsonl`, 20, prompt('[sm] from lead (abcd1234) #m1:\nlook at it', '/api'));
    write(`projects/-api/agent-7.jsonl`, 30, prompt('of a subagent'));
    write(`projects/-api/${id(3)}.jsonl`, 5, { type: 'mode' });
    write(
      `projects/-api/${id(4)}.jsonl`,
      1,
      prompt('<command-name>/model</command-name>'),
      prompt('then this'),
    );
    expect(await headsOf(history())).toEqual([
      [id(2), { workingDir: '/api', firstWords: 'look at it' }],
      [id(1), { workingDir: '/shop', firstWords: 'fix the login' }],
      [id(3), null],
      [id(4), { workingDir: '/shop', firstWords: 'then this' }],
    ]);
  });

  it('names the conversations that processes have open', async () => {
    write('sessions/77.json', 1, { pid: 77, sessionId: id(1), procStart: '123' });
    write('sessions/78.json', 1, { pid: 78 });
    writeFileSync(join(root, 'sessions/79.json'), '{"pid":79,"sess');
    const startedAt = process.platform === 'linux' ? '123' : null;
    expect(await history().open({})).toEqual([{ providerId: id(1), pid: 77, startedAt }]);
  });

  it('may be missing', async () => {
    expect([await history().files({}), await history().open({})]).toEqual([[], []]);
  });
});

describe('the record of Codex', () => {
  const history = () => codexHistory({ CODEX_HOME: root });
  const meta = (more: object = {}) => ({ type: 'session_meta', payload: { cwd: '/shop', ...more } });
  const prompt = (text: string) => ({
    type: 'event_msg',
    payload: { type: 'item_completed', turn_id: 't', item: { type: 'UserMessage', content: [{ text }] } },
  });
  const rollout = (n: number) => `sessions/2026/11/16/rollout-2026-11-16T10-00-00-${id(n)}.jsonl`;

  it('is read by its beginning, without the threads of agents inside an agent', async () => {
    write(rollout(1), 10, meta(), prompt('fix the login'));
    write(rollout(2), 20, meta({ thread_source: 'subagent' }), prompt('part of it'));
    write(rollout(3), 30, meta({ thread_source: 'user' }));
    expect(await headsOf(history())).toEqual([
      [id(3), null],
      [id(2), null],
      [id(1), { workingDir: '/shop', firstWords: 'fix the login' }],
    ]);
  });

  it('a lock that nobody holds is of no open thread', async () => {
    write(`thread-writer-locks/${id(1)}.lock`, 1);
    expect(await history().open({})).toEqual([]);
  });
});
