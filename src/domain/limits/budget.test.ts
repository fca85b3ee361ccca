// What a session, or a family, may use up: told at 80 %, held when nothing is left, let go when the budget is raised.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  alone,
  aloneWith,
  idleSession,
  killIt,
  screens,
  sent,
  type TestSession,
  workingSession,
} from '../../../test/support/session.ts';
import type { Amount } from '../core/budget.ts';
import type { Input, Others } from '../core/input.ts';
import { person } from '../core/names.ts';
import { noTokens } from '../core/spending.ts';

const budget = (amount: Partial<Amount> | null, family = false): Input => ({
  type: 'set-budget',
  by: person,
  family,
  amount: amount && { usd: null, tokens: null, ...amount },
});
const cost = (costUsd: number) =>
  ({
    is: 'usage',
    usage: { percentage: 10, tokens: 1, windowSize: 10, model: null, costUsd },
  }) as const;
const spent = (s: TestSession, input: number, model = 'big') =>
  s.hear({ is: 'spent', meter: 'm', before: noTokens, tokens: { ...noTokens, input }, model });
const posts = (s: TestSession) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [{ to: effect.to, text: effect.text }] : []));
const types = (s: TestSession) => s.owed.some(({ effect }) => effect.do === 'look' || effect.do === 'submit');

test('its parent is told once at 80 %, and it goes on as before', () => {
  const s = idleSession();
  s.take(budget({ usd: 5 }));
  s.hear(cost(3.99));
  expect(posts(s)).toEqual([]);
  s.wait(1);
  s.hear(cost(4.1));
  s.wait(1);
  s.hear(cost(4.6));
  expect(posts(s)).toEqual([
    {
      to: 'boss',
      text: '[sm budget] scripted-s1 (s1): 82 % of its budget of $5.00 is used ($4.10).',
    },
  ]);
  expect(s.phase).toBe('idle');
  s.send('aaaa0001');
  expect(types(s)).toBe(true);
});

test('used up, it is held: nothing is typed, whoever sends or has sent hears why, and no mode is an exception', () => {
  const s = workingSession();
  s.take(budget({ usd: 5 }));
  s.take(sent({ id: 'aaaa0001', from: { kind: 'session', id: 'peer', name: 'peer' } }));
  s.hear(cost(5.02));
  // The turn that runs is not cut.
  expect(s.phase).toBe('working');
  s.send('aaaa0002', 'now', 'urgent');
  s.send('aaaa0003', 'soon', 'important');
  const why = 'budget of $5.00 is used up ($5.02)';
  expect(s.message('aaaa0002').state).toMatchObject({ is: 'held', why });
  expect(s.message('aaaa0003').state).toMatchObject({ is: 'held', why });
  expect(types(s)).toBe(false);
  s.hear({ is: 'turn-ended', turnId: 'p1' });
  expect(s.phase).toBe('blocked');
  expect(s.message('aaaa0001').state).toMatchObject({ is: 'held', why });
  s.wait(3_600_000);
  expect(s.owed.some(({ effect }) => effect.do === 'submit')).toBe(false);
  expect(posts(s).map(({ to }) => to)).toEqual(['boss', 'peer']);
  expect(posts(s)[0]?.text).toContain(
    `is held: ${why}. Its turn is not cut, but nothing more is typed into it.`,
  );
  expect(posts(s)[1]?.text).toBe(`[sm budget] Your message #aaaa0001 is held by scripted-s1 (s1): ${why}.`);
});

test.each([
  ['raised', { usd: 10 }],
  ['removed', null],
])('when the budget is %s, what was held goes', (_, amount) => {
  const s = idleSession();
  s.take(budget({ usd: 5 }));
  s.hear(cost(6));
  s.send('aaaa0001');
  s.take(budget({ usd: 5.5 }));
  expect(s.message('aaaa0001').state).toMatchObject({
    is: 'held',
    why: 'budget of $5.50 is used up ($6.00)',
  });
  s.take(budget(amount));
  expect(s.phase).toBe('idle');
  expect(s.message('aaaa0001').state).toEqual({ is: 'queued' });
  s.see(screens.composer());
  s.submitted('typed');
  expect(s.message('aaaa0001').state.is).toBe('typed');
  expect(s.eventsOf('budget free')).toHaveLength(1);
});

test('what is about to be typed when the last of it is used waits as well', () => {
  const s = idleSession();
  s.take(budget({ tokens: 100 }));
  s.send('aaaa0001');
  expect(types(s)).toBe(true);
  spent(s, 100);
  s.see(screens.composer());
  expect(s.message('aaaa0001').state).toMatchObject({
    is: 'held',
    why: 'budget of 100 tokens is used up (100 tokens)',
  });
});

test('it can be cleared, which costs nothing; the prompt after it waits', () => {
  const s = idleSession();
  s.take(budget({ tokens: 100 }));
  spent(s, 100);
  const { type: _, ...prompt } = sent({ id: 'aaaa0001' });
  s.take({ type: 'clear', by: person, prompt });
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'context-ended', reason: 'clear' });
  s.hear({ is: 'agent-started', providerId: 'c2', source: 'clear' });
  expect(s.state.session.context.number).toBe(2);
  expect(s.message('aaaa0001').state.is).toBe('held');
});

test('a handoff waits before the clear', () => {
  const s = workingSession();
  s.take(budget({ tokens: 100 }));
  s.take({ type: 'handoff', by: { kind: 'session', id: 's1' }, path: '/doc.md', auto: false });
  spent(s, 100);
  s.hear({ is: 'turn-ended', turnId: 'p1' });
  expect(s.phase).toBe('blocked');
  s.take(budget(null));
  expect(s.phase).toBe('rotating');
  expect(s.owed.some(({ effect }) => effect.do === 'check-document')).toBe(true);
});

test('whoever waits for it hears that it is held', () => {
  const s = idleSession();
  s.take(budget({ tokens: 100 }));
  s.send('aaaa0001');
  spent(s, 100);
  s.see(screens.composer());
  s.take({ type: 'watch', id: 'w1', by: 'watcher', seconds: 60 });
  expect(posts(s).at(-1)).toEqual({
    to: 'watcher',
    text: '[sm] scripted-s1 (s1) is held: budget of 100 tokens is used up (100 tokens).',
  });
});

test('a reminder pauses, and its window begins again', () => {
  const s = workingSession();
  s.take({ type: 'remind', by: person, soft: 60, hard: 120 });
  s.take(budget({ tokens: 100 }));
  spent(s, 100);
  s.wait(600_000);
  expect(s.eventsOf('reminder sent')).toEqual([]);
  s.take(budget(null));
  s.wait(59_000);
  expect(s.eventsOf('reminder sent')).toEqual([]);
  s.wait(2_000);
  expect(s.eventsOf('reminder sent')).toHaveLength(1);
});

const tellsNothing = aloneWith({ tellsCost: false });

test('money is refused where nobody knows the cost; tokens are not', () => {
  const s = idleSession({}, tellsNothing);
  spent(s, 50);
  expect(s.refusal(budget({ usd: 5 })).message).toBe(
    'What scripted-s1 (s1) costs is not known: an agent does not tell it, and there is no price for big.',
  );
  s.take(budget({ tokens: 100 }));
  spent(s, 120);
  expect(s.phase).toBe('blocked');
});

test('where it turns out later that the cost is unknown, that is told once, and not guessed', () => {
  const s = idleSession({}, tellsNothing);
  s.take(budget({ usd: 5 }));
  spent(s, 50_000_000);
  spent(s, 60_000_000);
  expect(s.phase).toBe('idle');
  expect(s.eventsOf('budget unknown')).toHaveLength(1);
  expect(posts(s)).toHaveLength(1);
});

test('by a price of the configuration, money is known', () => {
  const price = { input: 2, output: 0, cacheRead: 0, cacheWrite: 0 };
  const { settings } = tellsNothing;
  const s = idleSession({}, { ...tellsNothing, settings: { ...settings, prices: () => price } });
  s.take(budget({ usd: 5 }));
  spent(s, 2_500_000);
  expect(s.state.session.budgets.hold?.why).toBe('budget of $5.00 is used up ($5.00)');
});

test('nothing, and less, is no budget', () => {
  const s = idleSession();
  for (const usd of [0, -1, Number.NaN]) expect(s.refusal(budget({ usd })).code).toBe('invalid');
  expect(s.refusal(budget({})).code).toBe('invalid');
});

/** `a` with its children `b` and `c`, and `d` below `b`. What they pass on arrives late, out of order, and twice. */
function family() {
  const members = new Map<string, TestSession>();
  const others: Others = {
    ...alone,
    relative: (id) => members.get(id)?.state.session ?? null,
    childrenOf: (id) =>
      [...members.values()].flatMap(({ state: { session } }) =>
        session.parentId === id ? [session.id] : [],
      ),
  };
  const add = (id: string, parentId: string | null) =>
    void members.set(id, idleSession({ id, parentId, name: id }, others));
  add('a', null);
  add('b', 'a');
  add('c', 'a');
  add('d', 'b');
  const get = (id: string): TestSession => members.get(id) as TestSession;

  /** Passes on one of the things that are owed; false: nothing is. */
  function pass(choice: number, twice: boolean): boolean {
    const owed = [...members.values()].flatMap((from) =>
      from.owed.flatMap(({ id, effect }) => (effect.do === 'pass-on' ? [{ from, id, effect }] : [])),
    );
    const next = owed[choice % Math.max(1, owed.length)];
    if (!next) return false;
    get(next.effect.to).take({ type: 'passed-on', news: next.effect.news });
    if (!twice) next.from.take({ type: 'result', effectId: next.id, result: { of: 'pass-on' } });
    return true;
  }
  return {
    get,
    add,
    pass,
    ids: () => [...members.keys()],
    settle: () =>
      void (() => {
        while (pass(0, false));
      })(),
  };
}

test('a family is held together, with whoever is born into it, and let go together', () => {
  const f = family();
  f.get('a').take(budget({ tokens: 100 }, true));
  spent(f.get('d'), 60);
  spent(f.get('c'), 40);
  f.settle();
  expect(f.ids().map((id) => f.get(id).phase)).toEqual(['blocked', 'blocked', 'blocked', 'blocked']);
  expect(f.get('a').state.session.budgets.hold?.why).toBe(
    'family budget of 100 tokens is used up (100 tokens)',
  );
  const why = 'family budget of 100 tokens is used up (100 tokens), set on a (a)';
  expect(f.get('d').state.session.budgets.hold?.why).toBe(why);
  f.add('e', 'd');
  expect(f.get('e').phase).toBe('blocked');
  f.get('a').take(budget({ tokens: 1_000 }, true));
  f.settle();
  expect(f.ids().map((id) => f.get(id).phase)).toEqual(['idle', 'idle', 'idle', 'idle', 'idle']);
});

test('what is below a session that was killed still counts, and is still held', () => {
  const f = family();
  spent(f.get('b'), 10);
  f.settle();
  f.get('b').take(killIt);
  f.get('b').answer({ of: 'kill' });
  f.get('a').take(budget({ tokens: 100 }, true));
  spent(f.get('d'), 90);
  f.settle();
  expect(f.get('a').state.session.budgets.family?.used.tokens).toBe(100);
  expect(f.get('d').phase).toBe('blocked');
});

test('in whatever order and however often relatives tell each other, all know the same in the end', () => {
  const step = fc.oneof(
    fc.record({
      do: fc.constant('spend' as const),
      by: fc.constantFrom('a', 'b', 'c', 'd'),
      most: fc.nat(80),
    }),
    fc.record({ do: fc.constant('budget' as const), of: fc.constantFrom('a', 'b'), tokens: fc.nat(200) }),
    fc.record({ do: fc.constant('pass' as const), choice: fc.nat(20), twice: fc.boolean() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      const f = family();
      const used: Record<string, number> = { a: 0, b: 0, c: 0, d: 0 };
      const budgets: Record<string, number> = {};
      for (const each of steps) {
        if (each.do === 'spend') {
          used[each.by] = Math.max(used[each.by] ?? 0, each.most);
          spent(f.get(each.by), each.most);
        } else if (each.do === 'budget') {
          budgets[each.of] = each.tokens;
          f.get(each.of).take(budget(each.tokens > 0 ? { tokens: each.tokens } : null, true));
        } else f.pass(each.choice, each.twice);
      }
      f.settle();
      const sum = (ids: string[]) => ids.reduce((total, id) => total + (used[id] ?? 0), 0);
      const isUp = (of: string, ids: string[]) => (budgets[of] ?? 0) > 0 && sum(ids) >= (budgets[of] ?? 0);
      const all = isUp('a', ['a', 'b', 'c', 'd']);
      const ofB = all || isUp('b', ['b', 'd']);
      expect(f.ids().map((id) => f.get(id).phase === 'blocked')).toEqual([all, ofB, all, ofB]);
    }),
  );
});
