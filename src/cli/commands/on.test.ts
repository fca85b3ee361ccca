import { expect, test } from 'vitest';
import { daemon, sm } from '../../../test/support/sm.ts';
import type { TriggerView } from '../../protocol/trigger.ts';

const trigger = (part: Partial<TriggerView>): TriggerView => ({
  name: 'notify-send',
  when: ['waiting'],
  sessions: null,
  run: ['notify-send', 'sm'],
  timeout_seconds: 30,
  last: null,
  ...part,
});
const last = { at: '2025-01-02T11:58:00.000Z', occasion: 'died', session_id: '340d0709', event: 7 } as const;

test('on: the programs, and how each ended the last time', async () => {
  const triggers = [
    trigger({}),
    trigger({
      name: 'page',
      when: ['failed', 'died'],
      sessions: 'tag:night',
      run: ['/bin/page'],
      last: { ...last, outcome: 'failed', why: 'exit code 3' },
    }),
    trigger({ name: 'log', last: { ...last, outcome: 'done', why: null } }),
  ];
  const { code, out } = await sm({ 'GET /triggers': { triggers } }, ['on']);
  expect(code).toBe(0);
  expect(out).toBe(
    [
      'NAME         WHEN          SESSIONS   LAST                        PROGRAM',
      'notify-send  waiting       all        never                       notify-send sm',
      'page         failed, died  tag:night  failed 2m ago: exit code 3  /bin/page',
      'log          waiting       all        done 2m ago                 notify-send sm',
      '',
    ].join('\n'),
  );
});

test('on: none; and where to write them', async () => {
  const { out } = await sm({ 'GET /triggers': { triggers: [] } }, ['on']);
  expect(out).toContain('Write them under on: in the configuration');
});

test('on test: what each wrote, and exit code 1 when one failed', async () => {
  const ran = [
    { trigger: 'bell', why: null, output: 'ding\u001b[2J\n' },
    { trigger: 'page', why: 'exit code 3', output: '' },
  ];
  const { code, out } = await sm({ 'POST /triggers/test': { ran } }, ['on', 'test', 'waiting', 'login']);
  expect(code).toBe(1);
  expect(out).toBe('bell: done\n  ding␛[2J\npage: failed: exit code 3\n');
  expect(daemon.calls.at(-1)?.body).toEqual({ occasion: 'waiting', session: 'login' });
});

test.each([
  [['on', 'test'], 'Name an occasion'],
  [['on', 'test', 'waitng'], 'Did you mean waiting?'],
  [['on', 'tset'], 'Unknown action "tset"'],
  [['on', 'test', 'died'], 'runs nothing on "died"'],
])('%j is refused', async (argv, words) => {
  const { code, err } = await sm({ 'POST /triggers/test': { ran: [] } }, argv);
  expect(code).toBe(1);
  expect(err).toContain(words);
});
