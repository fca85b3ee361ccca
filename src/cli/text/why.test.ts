import { expect, test } from 'vitest';
import { testIo, testNow } from '../../../test/support/io.ts';
import { event } from '../../../test/support/stand-in-daemon.ts';
import { whyLines } from './why.ts';

const before = (seconds: number) => new Date(testNow - seconds * 1000).toISOString();
const evidence = { source: 'hook', id: 'f1', at: before(61) };
const why = {
  session_id: '66a8c9ee',
  name: 'worker',
  phase: 'working' as const,
  since: before(60),
  evidence,
  event: { ...event(7, 'turn began', { evidence }), at: before(60) },
  heard_at: before(5),
  notes: ['an interrupt was asked for'],
  screen_unrecognised_since: null,
};

test('why: the event, its proof, what is in doubt, and the last word of the agent', () => {
  const [head, because, ...rest] = whyLines(testIo(), why);
  expect(head).toBe('worker (66a8c9ee) is working, for 1m');
  expect(because).toMatch(/^ {2}[\d:]+\.000 {2}turn began \(hook f1, [\d:]+\.000\)$/);
  expect(rest).toEqual(['  an interrupt was asked for', '  last heard of it 5s ago']);
});

test('why: a screen that is not recognised has a command that helps', () => {
  const lines = whyLines(testIo(), { ...why, screen_unrecognised_since: before(30) });
  expect(lines).toContain('  its screen is not recognised; see: sm doctor');
});

test('why: what is forgotten is said to be', () => {
  const [head, because] = whyLines(testIo(), { ...why, since: null, evidence: null, event: null });
  expect(head).toBe('worker (66a8c9ee) is working');
  expect(because).toBe('  That was so long ago that the history no longer has it.');
});
