// A person is told what happens to real sessions, by channels that are stand-ins on loopback.
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { NotificationView } from '../../src/protocol/notification.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { signIn } from '../support/page.ts';
import { standInPushService } from '../support/push-service.ts';
import { type Heard, type Said, type StandInService, standInService } from '../support/stand-in-service.ts';
import { is, sendText, startIdle, startWith } from '../support/talk.ts';
import { botToken, standInTelegram, type TelegramStandIn } from '../support/telegram.ts';
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
  expect((await s.daemon.sm('doctor')).stdout).toMatch(/team: 127\.0\.0\.1:\d+\s+answered\s+404/);
  status = 200;
  expect((await s.daemon.sm('notify', 'test', 'team')).stdout).toBe('team: sent\n');
  expect((await s.daemon.sm('doctor')).stdout).not.toContain('answered 404');
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
    readFileSync(join(daemon.work, 'env.txt'), 'utf8'),
  ];
  expect(seen.join('\n')).toContain(`SM_HOME=`);
  expect(seen.join('\n')).not.toContain('s3cret');
}, 60_000);

describe('Telegram', () => {
  const me = 7;
  let telegram: TelegramStandIn;
  beforeEach(async () => {
    telegram = await standInTelegram([{ id: me }]);
  });
  afterEach(() => telegram.close());

  async function startWithBot() {
    const channels = {
      phone: { kind: 'telegram', token_file: secretFile(botToken), chats: [me], server: telegram.url },
    };
    daemon = await startTestDaemon({ config: { notify: { channels } } });
    return daemon;
  }

  it('a question is answered with a tap, once, and who comes later hears who was first', async () => {
    const on = await startWithBot();
    const id = await startWith(on, '[[ask echo ran >> out]] [[say went on]]', { name: 'login' });
    const message = await telegram.untilSent(({ text }) => text.startsWith(`login (${id}) asks: `));
    const buttons = { ...message };
    telegram.tap(message, 'Allow');
    await on.until(id, is('turn ended', { last_words: 'went on' }));
    expect((await on.events(id)).find(is('question answered'))).toMatchObject({
      by: { kind: 'person', via: 'Telegram, Ann' },
      decision: 'allow',
    });
    await telegram.untilSent(({ text }) => text === `login (${id}): allowed: Bash: echo ran >> out`);
    const late = telegram.tap(buttons, 'Deny');
    await until('the late one to hear', () => telegram.alerts.get(late));
    expect(telegram.alerts.get(late)).toContain(
      'Its last question was answered: allow, by the user (Telegram, Ann).',
    );
    expect(readFileSync(join(on.work, 'out'), 'utf8')).toBe('ran\n');
  }, 60_000);

  it('a reply becomes a message, once, also when the daemon was killed before Telegram knew', async () => {
    const on = await startWithBot();
    const id = await startIdle(on, 'login');
    await sendText(on, id, '[[say first]]');
    const told = await telegram.untilSent(({ text }) => text.includes('finished: first'));
    telegram.write(me, 'and [[say second]]', { replyTo: told.message_id });
    await on.until(id, is('turn ended', { last_words: 'second' }));
    await on.crash();
    telegram.repeat();
    await on.start();
    await until(
      'it to have come again',
      () => telegram.sent.filter(({ text }) => text.startsWith(`login (${id}): a`)).length > 1,
    );
    expect((await on.events(id)).filter(is('message queued'))).toHaveLength(2);
  }, 60_000);

  it('the doctor says that another program reads the bot', async () => {
    const on = await startWithBot();
    await until('it to read', () => telegram.polls > 0);
    void fetch(`${telegram.url}/bot${botToken}/getUpdates`, {
      method: 'POST',
      body: JSON.stringify({ timeout: 50 }),
    }).catch(() => {});
    await until('the conflict', async () => (await on.sm('notify')).stdout.includes('another program reads'));
    expect((await on.sm('doctor')).stdout).toContain('another program reads this bot');
  }, 60_000);
});

it('a browser that asked for it is pushed to, also after a restart, until it is signed out', async () => {
  const push = await standInPushService();
  onTestFinished(() => push.close());
  daemon = await startTestDaemon({ config: { notify: { channels: { browser: { kind: 'push' } } } } });
  expect((await daemon.sm('notify', 'test', 'browser')).stdout).toContain(
    'no-device: no browser has asked for it',
  );
  const page = await signIn(daemon);
  const { body } = await page.call<{ key: string; subscribed: boolean }>('GET', '/push');
  expect(body.subscribed).toBe(false);
  expect(await page.call('PUT', '/push', push.subscription)).toMatchObject({ status: 200 });
  expect(await daemon.call('PUT', '/push', push.subscription)).toMatchObject({ status: 400 });
  await daemon.crash();
  await daemon.start();
  const id = await startWith(daemon, '[[ask rm -r build]]', { name: 'login' });
  const [pushed] = await until('it', () => push.pushed.length > 0 && push.pushed);
  expect(pushed).toMatchObject({ key: body.key, payload: { title: `login (${id})`, path: `/#s/${id}` } });
  expect((await daemon.sm('logs', '-n', '1000')).stdout).not.toContain('s3cret');
  expect((await daemon.sm('devices', '--json')).stdout).not.toContain('s3cret');
  await daemon.call('DELETE', `/devices/${page.id}`);
  expect((await daemon.sm('notify', 'test', 'browser')).stdout).toContain('no-device');
}, 60_000);
