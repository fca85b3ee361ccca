// A person is told what happens to real sessions, by channels that are stand-ins on loopback.
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { NotificationView } from '../../src/protocol/notification.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { type Heard, type Said, type StandInService, standInService } from '../support/stand-in-service.ts';
import { is, sendText, startIdle, startWith } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon | undefined;
let service: StandInService | undefined;
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-notify-'));
});
afterEach(async () => {
  await daemon?.dispose();
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

function secretFile(text: string): string {
  const file = join(folder, 'secret');
  writeFileSync(file, text);
  chmodSync(file, 0o600);
  return file;
}

async function start(answer?: (heard: Heard) => Said | null, notify: object = {}, env = {}) {
  service = await standInService(answer);
  const url_file = secretFile(`${service.url}/services/s3cret`);
  const channels = { team: { kind: 'slack', url_file } };
  daemon = await startTestDaemon({ config: { notify: { channels, ...notify } }, env });
  return { daemon, service };
}

const logOf = async (of: TestDaemon): Promise<NotificationView[]> =>
  JSON.parse((await of.sm('notify', 'log', '--json')).stdout).notifications;
const untilLogged = (of: TestDaemon, outcome: string) =>
  until(outcome, async () => (await logOf(of)).find((each) => each.outcome === outcome));

it('a question is told at once, once, and the log says so', async () => {
  const s = await start();
  const id = await startWith(s.daemon, '[[ask rm -r build]]', { name: 'login' });
  await until('it', () => s.service.heard.length > 0);
  expect(s.service.json()[0]?.text).toMatch(new RegExp(`^login \\(${id}\\) asks: .*rm -r build`));
  expect(await untilLogged(s.daemon, 'sent')).toMatchObject({
    occasion: 'waiting',
    session_id: id,
    channel: 'team',
  });
  expect(s.service.heard).toHaveLength(1);
  expect((await s.daemon.sm('notify')).stdout).toMatch(/team\s+slack\s+\S+ ago/);
}, 60_000);

it('a channel that hangs keeps no message waiting', async () => {
  const s = await start(() => null, {
    rules: [{ when: ['waiting', 'finished'], tell: 'team', after_seconds: 0 }],
  });
  const id = await startIdle(s.daemon, 'login');
  for (const text of ['one', 'two', 'three']) {
    const { message_id: message } = await sendText(s.daemon, id, `${text} [[say ok]]`);
    await s.daemon.until(id, is('message answered', { message }));
  }
  expect(s.service.heard.length).toBe(1);
}, 60_000);

it.each(['telling:owed', 'telling:begun'])(
  'killed at %s, it is told by the next daemon',
  async (point) => {
    const s = await start();
    await s.daemon.stop();
    await s.daemon.start({ SM_CRASH_AT: point });
    await startWith(s.daemon, '[[ask rm -r build]]').catch(() => {});
    await s.daemon.death();
    await s.daemon.start();
    await untilLogged(s.daemon, 'sent');
    expect(s.service.heard).toHaveLength(1);
  },
  60_000,
);

it('one that stopped working is said by the doctor, and a test that works takes it back', async () => {
  let status = 404;
  const s = await start(() => ({ status, body: 'no_service' }));
  const failed = await s.daemon.sm('notify', 'test', 'team');
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('answered 404: no_service')]);
  expect((await s.daemon.sm('doctor')).stdout).toMatch(
    /team: the last notification failed: 127\.0\.0\.1:\d+\s+answered\s+404/,
  );
  status = 200;
  expect((await s.daemon.sm('notify', 'test', 'team')).stdout).toBe('team: sent\n');
  expect((await s.daemon.sm('doctor')).stdout).not.toContain('the last notification failed');
}, 60_000);

it('a secret of the environment is nowhere but in the request', async () => {
  service = await standInService(() => ({ status: 500, body: '/services/s3cret is broken' }));
  const channels = { team: { kind: 'slack', url_env: 'SM_TEAM_URL' } };
  daemon = await startTestDaemon({
    config: { notify: { channels } },
    env: { SM_TEAM_URL: `${service.url}/services/s3cret` },
  });
  const id = await startWith(
    daemon,
    '[[bash env > env.txt; tmux -S "$SM_HOME/tmux.sock" show-environment -g >> env.txt]] [[ask x]]',
  );
  await until('it', () => service?.heard.length);
  expect(service.heard[0]?.path).toBe('/services/s3cret');
  const seen = [
    (await daemon.sm('notify', 'log', '--json')).stdout,
    (await daemon.sm('logs', '-n', '1000')).stdout,
    JSON.stringify(await daemon.events(id)),
    (await daemon.tmux('show-environment', '-g')).toString(),
    (await import('node:fs')).readFileSync(join(daemon.work, 'env.txt'), 'utf8'),
  ];
  expect(seen.join('\n')).toContain(`SM_HOME=`);
  expect(seen.join('\n')).not.toContain('s3cret');
}, 60_000);
