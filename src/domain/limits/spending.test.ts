// What agents use up goes into the books once, in whatever order and however often it is told.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TestSession, testSession, workingSession } from '../../../test/support/session.ts';
import { costOf, noTokens, type Spent, type Tokens, totalOf } from '../core/spending.ts';

const tokens = (input: number, output = 0): Tokens => ({ ...noTokens, input, output });
const spent = (meter: string, now: Tokens, before = noTokens) =>
  ({ is: 'spent', meter, before, tokens: now, model: 'big' }) as const;
const cost = (costUsd: number | null) =>
  ({
    is: 'usage',
    usage: { percentage: 10, tokens: 1, windowSize: 10, model: null, costUsd },
  }) as const;

/** The session, and all that it has put into the books. */
function booked(s: TestSession = workingSession()) {
  const books: Spent[] = [];
  return {
    s,
    books,
    hear: (...[part, how]: Parameters<TestSession['hear']>) => void books.push(...s.hear(part, how).spent),
    total: () => books.reduce((sum, each) => sum + totalOf(each.tokens), 0),
    money: () => books.reduce((sum, { costUsd }) => sum + (costUsd ?? 0), 0),
  };
}

test('the lines of one answer count once, with the figures of the last', () => {
  const b = booked();
  b.hear(spent('m1', tokens(1_000, 1)));
  b.hear(spent('m1', tokens(1_000, 1)));
  b.hear(spent('m1', tokens(1_000, 20)));
  b.hear(spent('m2', tokens(1_100, 30)));
  expect(b.total()).toBe(1_020 + 1_130);
  expect(b.s.state.session.spending.models).toEqual([{ model: 'big', tokens: tokens(2_100, 50) }]);
});

test('of a conversation that is older than the session, what was before is not counted', () => {
  const b = booked();
  b.hear(spent('thread', tokens(90_000, 500), tokens(89_000, 480)));
  b.hear(spent('thread', tokens(91_500, 520), tokens(90_000, 500)));
  expect(b.total()).toBe(1_020 + 1_520);
});

test('they stand under the context, and the quarter of an hour, in which they were told', () => {
  const b = booked();
  b.hear(spent('m1', tokens(10)));
  b.s.hear({ is: 'context-ended', reason: 'clear' });
  b.s.hear({ is: 'agent-started', providerId: 'c2', source: 'clear' });
  b.s.wait(3_600_000);
  b.hear({ ...spent('m2', tokens(20)), providerId: 'c2' });
  expect(b.books).toMatchObject([
    { sessionId: 's1', context: 1, at: 900_000 },
    { sessionId: 's1', context: 2, at: 4_500_000 },
  ]);
});

test('the cost is what the agent tells, also when it begins again at nothing', () => {
  const b = booked();
  for (const usd of [0, 0.25, 0.25, 0.75, 0, 0.5]) {
    b.s.wait(1);
    b.hear(cost(usd));
  }
  expect(b.money()).toBeCloseTo(1.25);
  expect(b.s.state.session.spending.costUsd).toBeCloseTo(1.25);
});

test('each conversation counts from nothing, also where the first that is told of it is more than the last before', () => {
  const b = booked();
  b.hear(cost(0.25));
  b.s.hear({ is: 'context-ended', reason: 'clear' });
  b.s.hear({ is: 'agent-started', providerId: 'c2', source: 'clear' });
  b.s.wait(1);
  b.hear({ ...cost(0.3), providerId: 'c2' });
  expect(b.money()).toBeCloseTo(0.55);
});

test('a figure that comes late, or is not there, costs nothing', () => {
  const b = booked();
  b.s.wait(10);
  b.hear(cost(0.75));
  b.hear(cost(0.25), { at: b.s.now - 5 });
  b.s.wait(1);
  b.hear(cost(null));
  expect(b.money()).toBeCloseTo(0.75);
});

test('the cost of tokens is by their price; where one has none, it is unknown', () => {
  const b = booked();
  b.hear(spent('m1', tokens(2_000_000, 100_000)));
  const { spending } = b.s.state.session;
  expect(spending && costOf(spending, () => null)).toBeNull();
  const price = { input: 3, output: 15, cacheRead: 0, cacheWrite: 0 };
  expect(spending && costOf(spending, () => price)).toBeCloseTo(7.5);
});

test('whatever is told again, and in whatever order, the books have the most that was told of each meter', () => {
  const told = fc.record({
    meter: fc.constantFrom('a', 'b', 'c'),
    input: fc.nat(1_000),
    output: fc.nat(100),
  });
  fc.assert(
    fc.property(fc.array(told, { maxLength: 30 }), (all) => {
      const b = booked(testSession());
      for (const { meter, input, output } of [...all, ...all]) b.hear(spent(meter, tokens(input, output)));
      const most = ['a', 'b', 'c'].map((meter) => {
        const own = all.filter((each) => each.meter === meter);
        return Math.max(0, ...own.map((e) => e.input)) + Math.max(0, ...own.map((e) => e.output));
      });
      expect(b.total()).toBe(most.reduce((sum, each) => sum + each, 0));
      const { models = [] } = b.s.state.session.spending;
      expect(models.reduce((sum, each) => sum + totalOf(each.tokens), 0)).toBe(b.total());
    }),
  );
});
