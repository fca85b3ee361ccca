import { expect, test } from 'vitest';
import { daemon, sm } from '../../../test/support/sm.ts';
import type { FoundView, HitView } from '../../protocol/search.ts';

const hit = (part: Partial<HitView>): HitView => ({
  session_id: '340d0709',
  session_name: 'scout',
  at: '2025-01-02T11:57:00.000Z',
  event: 7,
  kind: 'words',
  message_id: null,
  from: null,
  path: null,
  line: null,
  snippet: 'the login page is fixed',
  matched: 'login',
  text: null,
  ...part,
});
const found = (hits: HitView[], indexed: string | null = null, full = false) => ({
  [`GET /search?words=login&limit=20${full ? '&full=true' : ''}`]: {
    hits,
    indexed_from: indexed,
  } satisfies FoundView,
});

test('search: where each hit stands, and how to see more', async () => {
  const hits = [
    hit({}),
    hit({ kind: 'message', message_id: '0123abcd', from: { kind: 'person' } }),
    hit({ kind: 'document', path: '/state/handoffs/340d0709/2.md', line: 12 }),
  ];
  const { code, out } = await sm(found(hits), ['search', 'login']);
  expect(code).toBe(0);
  expect(out.replace(/\d\d:57:00/g, '11:57:00')).toBe(
    [
      'scout (340d0709)  11:57:00  said',
      '  the login page is fixed',
      'scout (340d0709)  11:57:00  message #0123abcd from the user',
      '  the login page is fixed',
      'scout (340d0709)  11:57:00  handoff document /state/handoffs/340d0709/2.md:12',
      '  the login page is fixed',
      'Whole texts: add --full. The life of a message: sm trace 0123abcd',
      '',
    ].join('\n'),
  );
});

test('search: an argument with spaces is a phrase, and a time is told as a date', async () => {
  await sm(found([]), ['search', 'two words', 'login', '--since', '8h', '--from', 'user']);
  const asked = new URL(daemon.calls.at(-1)?.url ?? '', 'http://sm').searchParams;
  expect(asked.get('words')).toBe('"two words" login');
  expect(asked.get('from')).toBe('user');
  expect(Date.parse(asked.get('since') ?? '')).toBeGreaterThan(0);
});

test('search: nothing found; and what cannot be found yet', async () => {
  const { out } = await sm(found([], '2025-01-02T11:00:00.000Z'), ['search', 'login']);
  expect(out).toMatch(/^Nothing found\.\nWhat is older than .* is still being indexed\. Try again soon\.\n$/);
});

test('search: texts of others cannot act on the terminal', async () => {
  const hits = [hit({ session_name: 'a\u001b[2Jb', snippet: 'x\u001b]0;t\u0007 login', text: null })];
  const { out } = await sm(found(hits), ['search', 'login']);
  expect(out).not.toContain('\u001b');
  const whole = await sm(found([hit({ text: 'one\ntwo\u001b[2J' })], null, true), [
    'search',
    'login',
    '--full',
  ]);
  expect(whole.out).toContain('  one\n  two␛[2J\n');
});

test('search: a time that is none', async () => {
  const { code, err } = await sm(found([]), ['search', 'login', '--since', 'yesterday']);
  expect(code).toBe(1);
  expect(err).toContain('--since needs a time such as 30m, 8h or 2d, not "yesterday".');
});
