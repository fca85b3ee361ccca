import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { parseConfig } from './config.ts';
import { takeSecrets } from './notify-config.ts';

const notify = (text: string) => parseConfig(`notify:\n${text}`, 'config.yaml').notify;

it('takes a channel, with the place of its secret', () => {
  const { channels, rules } = notify('  channels: { team: { kind: slack, url_file: ~/slack } }');
  expect(channels).toEqual({ team: { kind: 'slack', url: { file: `${homedir()}/slack` }, token: null } });
  expect(rules).toBeNull();
});

it('takes rules and quiet hours', () => {
  const { rules, quiet_hours } = notify(`
  channels: { a: { kind: ntfy, url: "https://ntfy.sh/x", token_env: SM_NTFY } }
  rules: [{ when: waiting, tell: a, sessions: "tag:night", through_quiet_hours: true }]
  quiet_hours: 22:30-07:00`);
  expect(quiet_hours).toEqual({ from: 1_350, to: 420 });
  expect(rules).toMatchObject([
    { when: ['waiting'], tell: ['a'], sessions: 'tag:night', throughQuietHours: true, nextAfterSeconds: 300 },
  ]);
});

it.each([
  ['  channels: { a: { kind: slack, url: "https://hooks.slack.com/s" } }', 'notify.channels.a'],
  ['  channels: { a: { kind: slack } }', 'needs url_file (a file that only you can read) or url_env'],
  ['  channels: { a: { kind: pigeon } }', 'notify.channels.a.kind'],
  [
    '  channels: { a: { kind: slack, url_env: TOKEN } }',
    'must be the name of a variable that begins with SM_',
  ],
  ['  channels: { a: { kind: ntfy, url: ftp://x } }', 'must be a URL'],
  ['  rules: [{ when: waiting, tell: b }]', 'no channel is called b'],
  ['  quiet_hours: 7-8', 'must be two times, such as 22:00-07:00'],
])('names what is wrong with %s', (text, fault) => {
  expect(() => notify(text)).toThrow(fault);
});

it('takes its secrets out of the environment', () => {
  const env = { SM_HOOK: 's3cret', SM_OTHER: 'stays' };
  const taken = takeSecrets(notify('  channels: { a: { kind: slack, url_env: SM_HOOK } }'), env);
  expect(taken).toEqual({ SM_HOOK: 's3cret' });
  expect(env).toEqual({ SM_OTHER: 'stays' });
});
