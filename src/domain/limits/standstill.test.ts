// A session that has used up its limit stands still, and goes on once.
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  alone,
  idleSession,
  screens,
  sent,
  type TestSession,
  testSession,
} from '../../../test/support/session.ts';
import { dueAt } from '../due.ts';

const hour = 3_600_000;
const words = 'You have hit your limit';
const noticesIn = (s: TestSession) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [{ to: effect.to, text: effect.text }] : []));

/** It works at a message of another session when its limit is used up. */
function limited(resetsIn: number | null = hour, others = alone): TestSession {
  const s = idleSession({}, others);
  s.take(
    sent({
      id: 'aaaa0001',
      from: { kind: 'session', id: 'peer', name: 'peer' },
      notify: { turnEnd: true, accepted: false, afterSeconds: null },
    }),
  );
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({
    is: 'prompt-submitted',
    turnId: 'p1',
    text: '[sm] from peer (peer) #aaaa0001:\ntext of aaaa0001',
  });
  const limit = { resetsAt: resetsIn === null ? null : s.now + resetsIn };
  s.hear({ is: 'turn-ended', end: 'failed', turnId: 'p1', lastWords: words, limit });
  return s;
}

/** What we have typed, or are about to. */
const resumes = (s: TestSession) => s.eventsOf('limit resumed');

/** The agent takes what was typed, as the prompt of that turn. */
function takes(s: TestSession, turnId: string): void {
  // The first looks may still be those of the silence before.
  while (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId, text: s.state.session.attempt?.text ?? '' });
}

test('it is blocked, its sender and its parent hear it once, and what it was asked for is not over', () => {
  const s = limited();
  expect(s.phase).toBe('blocked');
  expect(s.message('aaaa0001').state.is).toBe('accepted');
  expect(noticesIn(s).map(({ to }) => to)).toEqual(['boss', 'peer']);
  expect(noticesIn(s)[0]?.text).toMatch(
    /stands still.* It resets at 1970-01-01 01:16 UTC\. sm then lets it continue/,
  );
  // The end of a turn is told by the transcript as well.
  s.hear(
    { is: 'turn-ended', end: 'failed', turnId: 'p1', lastWords: words, limit: { resetsAt: null } },
    { source: 'transcript' },
  );
  expect(s.eventsOf('limit reached')).toHaveLength(1);
  expect(noticesIn(s)).toHaveLength(2);
});

test('messages wait; after the reset one resume comes first, and its turn answers what was cut', () => {
  const s = limited();
  s.send('bbbb0002');
  s.wait(hour - 1);
  expect([s.message('bbbb0002').state.is, resumes(s).length, s.phase]).toEqual(['queued', 0, 'blocked']);
  s.wait(60_000);
  expect(resumes(s)).toHaveLength(1);
  takes(s, 'p2');
  expect(s.phase).toBe('working');
  expect(s.eventsOf('turn began').at(-1)?.messages).toContain('aaaa0001');
  expect(s.message('bbbb0002').state.is).toBe('queued');
  s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'done' });
  expect(s.message('aaaa0001').state.is).toBe('answered');
  expect(noticesIn(s).at(-1)).toMatchObject({ to: 'peer', text: expect.stringContaining('done') });
  s.wait(10 * hour);
  expect(resumes(s)).toHaveLength(1);
});

test('an agent that goes on by itself is not told to', () => {
  const s = limited();
  s.wait(hour + 5_000);
  s.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'The limit has reset. Continue.' });
  expect(s.phase).toBe('working');
  s.wait(hour);
  expect(resumes(s)).toEqual([]);
  s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'done' });
  expect(s.message('aaaa0001').state.is).toBe('answered');
});

test('also when our message waits already: it is taken back', () => {
  const s = limited();
  s.wait(hour + 20_000);
  const [{ message } = { message: '' }] = resumes(s);
  s.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'The limit has reset. Continue.' });
  s.see(screens.composer('', 'working'));
  expect(s.message(message).state.is).toBe('withdrawn');
  expect(s.phase).toBe('working');
});

test('a limit that is reached again is another standstill, with a resume of its own', () => {
  const s = limited();
  s.wait(hour + 20_000);
  takes(s, 'p2');
  s.hear({
    is: 'turn-ended',
    end: 'failed',
    turnId: 'p2',
    lastWords: words,
    limit: { resetsAt: s.now + hour },
  });
  expect(s.phase).toBe('blocked');
  s.wait(hour + 20_000);
  expect(resumes(s)).toHaveLength(2);
});

test('when nobody has told when it resets, it waits until somebody does', () => {
  const s = limited(null);
  s.wait(100 * hour);
  expect([s.phase, resumes(s).length]).toEqual(['blocked', 0]);
  s.hear({ is: 'limits', windows: [{ name: '5h', used: 100, resetsAt: s.now + hour }] });
  s.wait(hour + 20_000);
  expect(resumes(s)).toHaveLength(1);
});

test('a reset that is past already is no reason to try again', () => {
  const s = limited(-1_000);
  expect(s.state.session.standstill?.until).toBeNull();
  s.wait(10 * hour);
  expect(resumes(s)).toEqual([]);
});

test('the reset is known from what the agent told before', () => {
  const s = idleSession();
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'x' });
  const windows = [
    { name: '5h', used: 100, resetsAt: s.now + hour },
    { name: 'week', used: 40, resetsAt: s.now + 50 * hour },
  ];
  s.hear({ is: 'limits', windows });
  s.hear({ is: 'turn-ended', end: 'failed', turnId: 'p1', lastWords: words, limit: { resetsAt: null } });
  expect(s.state.session.standstill?.until).toBe(s.now + hour);
});

test('an urgent message of a person goes at once; who waited for the cut turn hears that it failed', () => {
  const s = limited();
  s.send('cccc0003', 'never mind the limit', 'urgent');
  expect(s.phase).toBe('idle');
  expect(s.message('aaaa0001').state).toMatchObject({ is: 'failed', why: words });
  takes(s, 'p2');
  expect(s.message('cccc0003').state.is).toBe('accepted');
  s.wait(10 * hour);
  expect(resumes(s)).toEqual([]);
});

test('where the configuration says so, nothing is resumed: what waits flows again after the reset', () => {
  const s = limited(hour, { ...alone, settings: { ...alone.settings, resumeAfterLimit: false } });
  s.send('bbbb0002');
  s.wait(hour + 20_000);
  expect(resumes(s)).toEqual([]);
  expect(s.message('aaaa0001').state.is).toBe('failed');
  takes(s, 'p2');
  expect(s.message('bbbb0002').state.is).toBe('accepted');
});

test('it can be cleared meanwhile, and ends with its agent', () => {
  const s = limited();
  s.take({ type: 'clear', by: { kind: 'person' }, prompt: null });
  expect([s.state.session.standstill, s.phase]).toEqual([null, 'idle']);
  const t = limited();
  t.hear({ is: 'process-exited', code: 1 });
  expect([t.state.session.standstill, t.phase]).toEqual([null, 'exited']);
  expect(t.message('aaaa0001').state.is).toBe('died');
});

test('an error that is no limit ends the turn as ever', () => {
  const s = testSession();
  expect(dueAt(s.state.session)).not.toBeUndefined();
  const i = idleSession();
  i.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'x' });
  i.hear({ is: 'turn-ended', end: 'failed', turnId: 'p1', lastWords: 'overloaded' });
  expect([i.phase, i.state.session.standstill ?? null]).toEqual(['idle', null]);
});

test('whatever happens meanwhile, each standstill is resumed once at most', () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 2 * hour }) }),
    fc.record({ do: fc.constantFrom('see' as const, 'take' as const, 'end' as const, 'again' as const) }),
    fc.record({ do: fc.constant('told' as const), used: fc.constantFrom(50, 100) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 25 }), (steps) => {
      const s = limited();
      let turn = 1;
      for (const each of steps) {
        const attempt = s.state.session.attempt;
        if (each.do === 'wait') s.wait(each.ms);
        else if (each.do === 'told')
          s.hear({ is: 'limits', windows: [{ name: '5h', used: each.used, resetsAt: s.now + hour }] });
        else if (each.do === 'see' && s.owed.some(({ effect }) => effect.do === 'look'))
          s.see(screens.composer('', s.phase === 'working' ? 'working' : 'idle'));
        else if (each.do === 'take' && s.owed.some(({ effect }) => effect.do === 'submit')) {
          turn += 1;
          s.submitted('typed');
          s.hear({ is: 'prompt-submitted', turnId: `p${turn}`, text: attempt?.text ?? '' });
        } else if (each.do === 'end' && s.state.session.turn)
          s.hear({ is: 'turn-ended', turnId: s.state.session.turn.id });
        else if (each.do === 'again' && s.state.session.turn)
          s.hear({
            is: 'turn-ended',
            end: 'failed',
            turnId: s.state.session.turn.id,
            lastWords: words,
            limit: { resetsAt: s.now + hour },
          });
      }
      expect(resumes(s).length).toBeLessThanOrEqual(s.eventsOf('limit reached').length);
    }),
    { numRuns: 200 },
  );
});
