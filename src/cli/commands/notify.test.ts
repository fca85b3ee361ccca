import { expect, test } from 'vitest';
import { sm } from '../../../test/support/sm.ts';
import type { NotificationView } from '../../protocol/notification.ts';

const notification = (part: Partial<NotificationView>): NotificationView => ({
  id: '7.notify.phone.url',
  at: '2025-01-02T11:58:00.000Z',
  event: 7,
  occasion: 'waiting',
  session_id: '340d0709',
  session_name: 'login',
  channel: 'phone',
  to: 'url',
  outcome: 'sent',
  why: null,
  ended_at: null,
  due_at: null,
  ...part,
});

test('notify: the channels, and what is wrong with them', async () => {
  const channels = [
    { name: 'phone', kind: 'ntfy', problem: null, last_sent_at: '2025-01-02T11:58:00.000Z' },
    { name: 'team', kind: 'slack', problem: 'hooks.slack.com answered 404', last_sent_at: null },
  ];
  const { code, out } = await sm({ 'GET /notifications/channels': { channels } }, ['notify']);
  expect(code).toBe(0);
  expect(out).toBe(
    [
      'CHANNEL  KIND   LAST SENT  PROBLEM',
      'phone    ntfy   2m ago',
      'team     slack  nothing    hooks.slack.com answered 404',
      '',
    ].join('\n'),
  );
  const none = await sm({ 'GET /notifications/channels': { channels: [] } }, ['notify']);
  expect(none.out).toContain('Write them under notify: in the configuration');
});

test('notify log: how each ended, and why', async () => {
  const notifications = [
    notification({}),
    notification({ outcome: 'suppressed', why: 'it works again', occasion: 'finished' }),
    notification({ outcome: 'waiting', why: 'quiet hours', due_at: '2025-01-02T19:00:00.000Z' }),
    notification({ event: 0, outcome: 'failed', why: 'cannot reach it' }),
  ];
  const { out } = await sm({ 'GET /notifications?limit=50': { notifications } }, ['notify', 'log']);
  expect(out).toBe(
    [
      'WHEN    CHANNEL  OCCASION  SESSION           OUTCOME',
      '2m ago  phone    waiting   login (340d0709)  sent',
      '2m ago  phone    finished  login (340d0709)  suppressed: it works again',
      '2m ago  phone    waiting   login (340d0709)  waiting, 7 h more: quiet hours',
      '2m ago  phone    test                        failed: cannot reach it',
      '',
    ].join('\n'),
  );
  const none = { 'GET /notifications?limit=5': { notifications: [] } };
  expect((await sm(none, ['notify', 'log', '-n', '5', '--json'])).out).toContain('"notifications": []');
});

test('notify test: what came of it, with the exit code', async () => {
  const answer = (outcome: string, why: string | null) => ({
    'POST /notifications/test': { sent: [{ to: 'url', outcome, why }] },
  });
  expect(await sm(answer('sent', null), ['notify', 'test', 'phone'])).toMatchObject({
    code: 0,
    out: 'phone: sent\n',
  });
  expect(await sm(answer('failed', '/f is not there'), ['notify', 'test', 'phone'])).toMatchObject({
    code: 1,
    out: 'phone: failed: /f is not there\n',
  });
  expect((await sm({}, ['notify', 'test'])).err).toContain('Name a channel');
  expect((await sm({}, ['notify', 'lgo'])).err).toContain('Use log, or test CHANNEL');
});

test('all and status name a channel that has stopped working, to a person', async () => {
  const answers = {
    'GET /rows': { rows: [], node: null },
    'GET /sessions': { sessions: [] },
    'GET /notifications/channels': {
      channels: [{ name: 'team', kind: 'slack', problem: 'it answered 404', last_sent_at: null }],
    },
  };
  for (const command of ['all', 'status']) {
    const { err } = await sm(answers, [command], { outputIsTerminal: true });
    expect(err).toContain('team cannot tell you anything. See why: sm notify');
    expect((await sm(answers, [command])).err).toBe('');
  }
});
