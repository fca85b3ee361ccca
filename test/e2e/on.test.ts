// Programs of the user run when something happens to real sessions: once for each event, also when the daemon is killed,
// and nobody waits for them.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { processStartTime } from '../../src/terminal/process-identity.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle, startWith } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon | undefined;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-on-'));
});
afterEach(async () => {
  await daemon?.dispose();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** Writes what it reads and what it has into files beside the daemon; `more` is what it does after that. */
async function start(on: readonly object[], more = '', env: Record<string, string> = {}) {
  const program = join(folder, 'program');
  const rules = on.map((rule) => ({ run: program, ...rule }));
  daemon = await startTestDaemon({ config: { on: rules }, env });
  const at = (name: string) => join(daemon?.work ?? '', name);
  writeFileSync(
    program,
    `#!/bin/sh\ncat >> ${at('heard')}\nenv > ${at('env')}\necho $$ > ${at('pid')}\n${more}\n`,
  );
  chmodSync(program, 0o700);
  const text = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '');
  const heard = () =>
    text('heard')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  return {
    daemon,
    program,
    text,
    heard,
    untilHeard: (count: number) => until(`${count} runs`, () => heard().length >= count && heard()),
  };
}

const last = async (of: TestDaemon) => JSON.parse((await of.sm('on', '--json')).stdout).triggers[0].last;
const untilLast = (of: TestDaemon, outcome: string) =>
  until(outcome, async () => ((await last(of))?.outcome === outcome ? last(of) : null));

it('the event on standard input, once, for the sessions that are meant', async () => {
  const s = await start([{ when: ['waiting', 'finished'], sessions: 'night-*' }], 'echo ding', {
    ANTHROPIC_API_KEY: 'secret',
  });
  await startWith(s.daemon, '[[say done]]', { name: 'day-1' }).then((id) =>
    s.daemon.until(id, is('turn ended')),
  );
  const id = await startWith(s.daemon, '[[ask rm -r build]]', { name: 'night-1' });
  const asked = await s.daemon.until(id, is('question asked'));
  const [first] = await s.untilHeard(1);
  expect(first).toMatchObject({
    occasion: 'waiting',
    test: false,
    event: { number: asked.number, session_id: id, type: 'question', step: 'asked' },
    session: { id, display_name: 'night-1', phase: 'blocked' },
  });
  expect(first.text).toContain(`night-1 (${id}) asks: `);
  await untilLast(s.daemon, 'done');
  const env = s.text('env');
  expect(env).toContain(`SM_SESSION_ID=${id}\n`);
  expect(env).not.toContain('ANTHROPIC_API_KEY');
  expect(env).not.toContain('SM_CALLER');
  expect(s.heard()).toHaveLength(1);
  expect((await s.daemon.sm('logs', '-n', '200')).stdout).toContain('ding');
}, 60_000);

it('a program that hangs keeps nobody waiting, and is ended at its limit', async () => {
  const s = await start([{ when: 'finished', timeout_seconds: 1 }], 'sleep 1000');
  const id = await startIdle(s.daemon, 'login');
  for (const text of ['one', 'two', 'three']) {
    const { message_id: message } = await sendText(s.daemon, id, `${text} [[say ok]]`);
    await s.daemon.until(id, is('message answered', { message }));
  }
  await s.untilHeard(3);
  expect(await untilLast(s.daemon, 'failed')).toMatchObject({ why: 'it took longer than 1 s' });
  expect((await s.daemon.sm('doctor')).stdout).toMatch(/failed the last time: it took longer\s+than 1 s/);
}, 60_000);

it('what had begun when the daemon was killed is not begun again, and is ended', async () => {
  const s = await start([{ when: 'finished' }], 'sleep 1000');
  const id = await startIdle(s.daemon, 'login');
  await sendText(s.daemon, id, '[[say ok]]');
  const pid = Number(await until('its process', () => s.text('pid').trim()));
  await until('the process to be known', () => {
    const db = new DatabaseSync(join(s.daemon.home, 'sm.db'), { readOnly: true });
    const { n } = db
      .prepare("SELECT count(*) AS n FROM telling WHERE body ->> '$.state.process.pid' = ?")
      .get(pid) as { n: number };
    db.close();
    return n === 1;
  });
  await s.daemon.crash();
  expect(await processStartTime(pid)).not.toBeNull();
  await s.daemon.start();
  expect(await last(s.daemon)).toMatchObject({ outcome: 'unknown', why: 'the daemon ended while it ran' });
  await until('it to end', async () => (await processStartTime(pid)) === null);
  expect(s.heard()).toHaveLength(1);
}, 60_000);

it.each([
  ['telling:owed', 1],
  ['telling:begun', 0],
])(
  'killed at %s, it has run %i times in the end',
  async (point, times) => {
    const s = await start([{ when: 'finished' }]);
    await s.daemon.stop();
    await s.daemon.start({ SM_CRASH_AT: point });
    const id = await startIdle(s.daemon, 'login');
    await sendText(s.daemon, id, '[[say ok]]').catch(() => {});
    await s.daemon.death();
    await s.daemon.start();
    const { outcome } = await until('its end', () => last(s.daemon));
    expect(outcome).toBe(times === 1 ? 'done' : 'unknown');
    expect(s.heard()).toHaveLength(times);
  },
  60_000,
);

it('is tried with an event that is made up, by a person only', async () => {
  const s = await start([{ name: 'bell', when: 'died' }], 'echo ding; exit 3');
  const { code, stdout } = await s.daemon.sm('on', 'test', 'died');
  expect([code, stdout]).toEqual([1, 'bell: failed: exit code 3\n  ding\n']);
  expect(s.heard()).toMatchObject([{ occasion: 'died', test: true, session: null }]);
  const id = await startIdle(s.daemon, 'login');
  const { message_id: message } = await sendText(s.daemon, id, '[[bash sm on test died > out.txt 2>&1]]');
  await s.daemon.until(id, is('message answered', { message }));
  expect(s.text('out.txt')).toContain('Only a person');
  expect(s.heard()).toHaveLength(1);
}, 60_000);
