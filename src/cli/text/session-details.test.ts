import { expect, test } from 'vitest';
import { testNow } from '../../../test/support/io.ts';
import { session } from '../../../test/support/stand-in-daemon.ts';
import { childLines } from './session-details.ts';

const before = (seconds: number) => new Date(testNow - seconds * 1000).toISOString();
const now = () => testNow;
const children = [
  session({
    id: '66a8c9ee',
    name: 'sm-engineer',
    status: 'running',
    agent_status_text: 'investigating root cause — found 2 call sites',
    agent_status_at: before(120),
  }),
  session({
    id: '340d0709',
    name: 'app-scout',
    status: 'running',
    agent_status_text: 'writing spec, sending to reviewer next',
    agent_status_at: before(45),
  }),
  session({ id: 'd638c897', name: 'app-codex', status: 'idle' }),
];

test('a manager reads one line per child', () => {
  expect(childLines({ columns: undefined, now }, children)).toEqual([
    'sm-engineer (66a8c9ee) | running | "investigating root cause — found 2 call sites" (2m ago)',
    'app-scout   (340d0709) | running | "writing spec, sending to reviewer next" (45s ago)',
    'app-codex   (d638c897) | idle    | (no status)',
  ]);
});

test('in a narrow terminal the text is cut, and its age stays', () => {
  expect(childLines({ columns: 66, now }, children)[0]).toBe(
    'sm-engineer (66a8c9ee) | running | "investigating root…" (2m ago)',
  );
});

test('grandchildren follow their parent, indented', () => {
  const family = [
    session({ id: 'aaaaaaaa', name: 'lead' }),
    session({ id: 'bbbbbbbb', name: 'other' }),
    session({ id: 'cccccccc', name: 'helper', parent_session_id: 'aaaaaaaa' }),
  ];
  expect(childLines({ columns: undefined, now }, family)).toEqual([
    'lead     (aaaaaaaa) | idle | (no status)',
    '  helper (cccccccc) | idle | (no status)',
    'other    (bbbbbbbb) | idle | (no status)',
  ]);
});

test('what a child says cannot break the line', () => {
  const [line] = childLines({ columns: undefined, now }, [
    session({ name: 'a\u001b[2Jb', agent_status_text: 'one\ntwo\u0007', agent_status_at: before(1) }),
  ]);
  expect(line).toBe('a␛[2Jb (66a8c9ee) | idle | "one two␇" (1s ago)');
});
