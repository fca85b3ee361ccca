import { expect, test } from 'vitest';
import { daemon, sm } from '../../../test/support/sm.ts';
import type { DigestView, SessionDigest } from '../../protocol/digest.ts';

const told = (part: Partial<SessionDigest>): SessionDigest => ({
  session_id: '340d0709',
  name: 'login',
  parent_session_id: null,
  phase: 'idle',
  phase_since: '2025-01-02T11:55:00.000Z',
  started_at: null,
  restored: 0,
  ended: null,
  turns: { finished: 0, failed: 0, interrupted: 0, cut_off: 0, died: 0, cleared: 0, unknown: 0 },
  last_words: null,
  questions: {
    asked: 0,
    answered_by_person: 0,
    answered_by_sessions: [],
    answered_by_rules: 0,
    answered_elsewhere: 0,
  },
  reminders: { soft: 0, hard: 0 },
  compactions: 0,
  handoffs: 0,
  limits: 0,
  silences: 0,
  budgets: 0,
  merged: [],
  failed: 0,
  failures: [],
  waits: null,
  messages_waiting: 0,
  ...part,
});
const turns = told({}).turns;
const questions = told({}).questions;
const nothing = {
  waiting: 0,
  started: 0,
  ended: 0,
  turns_finished: 0,
  failed: 0,
  asked: 0,
  reminded: 0,
  compactions: 0,
  handoffs: 0,
  limits: 0,
  silences: 0,
  budgets: 0,
};
const at = '2025-01-02T11:57:00.000Z';

const run = (digest: Partial<DigestView>, argv: readonly string[] = [], columns = 80) =>
  sm(
    {
      'GET /digest?since=2025-01-02T04%3A00%3A00.000Z': {
        since: '2025-01-02T04:00:00.000Z',
        until: '2025-01-02T12:00:00.000Z',
        totals: nothing,
        families: [],
        quiet: 0,
        ...digest,
      },
    },
    ['digest', ...argv],
    { columns },
  );
const plain = (out: string) => out.replace(/\d\d:(\d\d)(?= |\))/g, 'HH:$1');

test('digest: a family, the one that waits first, in 80 columns', async () => {
  const asks = told({
    phase: 'blocked',
    parent_session_id: '66a8c9ee',
    started_at: at,
    turns: { ...turns, finished: 7, failed: 1 },
    questions: {
      ...questions,
      asked: 4,
      answered_by_person: 2,
      answered_elsewhere: 1,
      answered_by_rules: 12,
    },
    reminders: { soft: 2, hard: 1 },
    failed: 1,
    failures: [{ at, what: 'turn', why: 'overloaded' }],
    waits: { what: 'answer', text: 'Bash: rm -r build', since: '2025-01-02T11:48:00.000Z', for: null },
    last_words: { at, failed: false, text: 'The login page is done.\nAll tests pass.' },
  });
  const lead = told({
    session_id: '66a8c9ee',
    name: 'lead',
    turns: { ...turns, finished: 1 },
    compactions: 1,
    handoffs: 2,
    limits: 0,
    silences: 0,
    budgets: 0,
    merged: [{ at, branch: 'login', into: 'main' }],
  });
  const totals = { ...nothing, waiting: 1, failed: 1, started: 1, turns_finished: 8, asked: 4 };
  const { code, out } = await run({
    totals,
    families: [{ id: '66a8c9ee', name: 'lead', sessions: [asks, lead] }],
    quiet: 3,
  });
  expect(code).toBe(0);
  expect(plain(out)).toBe(
    [
      'Since HH:00 (8h): 1 waits for you, 1 failure, 1 session started, 8 turns',
      'finished, 4 questions.',
      '',
      'lead (66a8c9ee) and its family',
      '◐ login (340d0709) asks you, 12m: Bash: rm -r build',
      '    started, 7 turns finished, 1 failed, 4 questions (2 answered by you, 1',
      '    answered at its terminal, 12 answered by rules), reminded 3 times',
      '    HH:57 failed: overloaded',
      '    HH:57 "The login page is done. All tests pass."',
      '○ lead (66a8c9ee) idle, 5m',
      '    1 turn finished, compacted once, handed over 2 times',
      '    HH:57 brought login into main',
      '',
      '3 more sessions: nothing new.',
      '',
    ].join('\n'),
  );
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test.each([
  ['restore', null, 'is gone, 12m (sm restore 340d0709): x'],
  ['screen', null, 'waits for you, 12m: x'],
  ['draft', null, 'holds messages, 12m: x'],
  ['limit', null, 'stands still at its limit, 12m: x'],
  ['status', { id: '66a8c9ee', name: 'lead' }, 'is silent, 12m: lead (66a8c9ee) should ask'],
  ['failed', { id: '66a8c9ee', name: 'lead' }, 'failed, 12m, waits for lead (66a8c9ee): x'],
] as const)('digest: what waits (%s), and for whom', async (what, who, words) => {
  const since = '2025-01-02T11:48:00.000Z';
  const sessions = [told({ waits: { what, text: 'x', since, for: who } })];
  const { out } = await run({ families: [{ id: '340d0709', name: 'login', sessions }] });
  expect(out).toContain(`login (340d0709) ${words}`);
});

test('digest: nothing happened; and another time', async () => {
  expect(plain((await run({ quiet: 2 })).out)).toBe(
    'Since HH:00 (8h): nothing happened.\n\n2 sessions: nothing new.\n',
  );
  await run({}, ['lead', '--since', '2d']);
  const asked = new URL(daemon.calls.at(-1)?.url ?? '', 'http://sm').searchParams;
  expect([...asked]).toEqual([
    ['since', '2024-12-31T12:00:00.000Z'],
    ['session', 'lead'],
  ]);
});

test('digest: texts of others cannot act on the terminal', async () => {
  const sessions = [
    told({ name: 'a\u001b[2Jb', last_words: { at, failed: false, text: 'x\u001b]0;t\u0007' } }),
  ];
  const { out } = await run({ families: [{ id: '340d0709', name: 'a\u001b[2Jb', sessions }] });
  expect(out).not.toContain('\u001b');
});
