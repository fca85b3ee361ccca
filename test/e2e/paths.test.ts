// Paths that others name: pipes that nobody fills, devices without an end, links that lead round, names that are none.
import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
let id: string;
const at = (name: string) => join(daemon.work, name);
beforeAll(async () => {
  daemon = await startTestDaemon();
  id = await startIdle(daemon, 'worker');
  execFileSync('mkfifo', [at('pipe')]);
  symlinkSync(at('loop'), at('loop'));
  symlinkSync('/nowhere', at('dangling'));
  writeFileSync(at('file'), 'text');
  mkdirSync(at('closed'));
});
afterAll(() => daemon?.dispose());

const odd = () => [
  at('pipe'),
  '/dev/zero',
  at('loop'),
  at('dangling'),
  at('file'),
  'relative',
  '',
  '/a\0b',
  `/${'x'.repeat(5_000)}`,
];

it('none of them is a place to work in, and each is refused', async () => {
  for (const working_dir of odd()) {
    const { status } = await daemon.call('POST', '/sessions', {
      provider: 'scripted',
      working_dir,
      name: 'odd',
    });
    expect(status, working_dir.slice(0, 80)).toBeGreaterThanOrEqual(400);
    expect(status, working_dir.slice(0, 80)).toBeLessThan(500);
  }
});

function fact(body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) };
    const req = request(
      { socketPath: join(daemon.home, 'sm.sock'), method: 'POST', path: '/hooks/claude', headers },
      (res) => {
        res.resume();
        resolve(res.statusCode ?? 0);
      },
    );
    req.on('error', reject);
    req.end(text);
  });
}

/** Node reads files with four threads: as many pipes would stop everything. */
it('as transcripts and in the spool, none of them holds the daemon or fills its memory', async () => {
  const sessions = await Promise.all([1, 2, 3, 4, 5].map((n) => startIdle(daemon, `victim-${n}`)));
  for (const [n, victim] of sessions.entries()) {
    const transcript_path = odd()[n % 2];
    const { context } = await daemon.session(victim);
    const said = {
      session_manager_id: victim,
      session_id: context.provider_id,
      transcript_path,
    };
    for (const hook_event_name of ['SessionStart', 'UserPromptSubmit'])
      expect(
        await fact({ hook_event_name, source: 'startup', prompt: 'x', prompt_id: `p${n}`, ...said }),
      ).toBeLessThan(500);
    execFileSync('mkfifo', [join(daemon.home, 'spool', victim, `1-pipe-${n}.hook`)]);
    symlinkSync('/dev/zero', join(daemon.home, 'spool', victim, `2-zero-${n}.hook`));
  }
  // The agent's word was taken: it is its own conversation.
  const paths = await Promise.all(
    sessions.map(async (victim) => (await daemon.session(victim)).transcript_path),
  );
  expect(paths.filter((path) => path === '/dev/zero' || path === at('pipe'))).toHaveLength(5);
  const { message_id } = await sendText(daemon, id, 'hello [[say still here]]');
  await daemon.until(id, is('message answered', { message: message_id }));
  await daemon.crash();
  await daemon.start();
  const again = await sendText(daemon, id, 'again [[say still here]]');
  await daemon.until(id, is('message answered', { message: again.message_id }));
});

it('a document that is one of them is refused', async () => {
  for (const path of odd().slice(0, 4)) {
    const { code, stdout, stderr } = await daemon.smWith({ CLAUDE_SESSION_MANAGER_ID: id }, 'handoff', path);
    expect(code, path).not.toBe(0);
    expect(stdout + stderr).not.toBe('');
  }
});
