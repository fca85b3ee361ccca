import { describe, expect, it } from 'vitest';
import { idleSession, screens, sent, type TestSession } from '../../../test/support/session.ts';
import { quietly } from '../core/message.ts';
import { type ReviewTarget, reviewText } from '../core/review.ts';
import { longestReview } from '../notices/wording.ts';

const target: ReviewTarget = { of: 'base', branch: 'main' };
const id = 'aaaaaaaa';
const review = sent({
  id,
  text: reviewText(target),
  review: target,
  from: { kind: 'session', id: 'boss', name: 'boss' },
  notify: { ...quietly, turnEnd: true },
});
const submits = (s: TestSession) => s.owed.flatMap(({ effect }) => (effect.do === 'submit' ? [effect] : []));
const posts = (s: TestSession) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'post' && effect.to === 'boss' ? [effect.text] : []));

function reviewing(): TestSession {
  const s = idleSession({ parentId: null });
  s.take(review);
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId: 'r1', text: '', messages: [id] });
  return s;
}

describe('a review', () => {
  it.each([
    [{ of: 'uncommitted' }, 'Review the uncommitted changes'],
    [target, 'Review the changes against main'],
    [{ of: 'commit', commit: 'abc' }, 'Review the commit abc'],
    [{ of: 'custom', text: 'Is it fast?' }, 'Review: Is it fast?'],
  ] as const)('%o reads as what it is', (target, text) => expect(reviewText(target)).toBe(text));

  it('is submitted as what it stands for, and accepted by its own id', () => {
    const s = idleSession({ parentId: null });
    s.take(review);
    s.see(screens.composer());
    expect(submits(s)).toMatchObject([{ review: { message: id, target } }]);
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'r1', text: '', messages: [id] }, { source: 'notification' });
    expect(s.message(id).state).toMatchObject({ is: 'accepted', turn: 'r1' });
    s.hear({ is: 'turn-ended', turnId: 'r1', lastWords: 'All is well' });
    expect(s.message(id).state.is).toBe('answered');
    expect(posts(s)).toEqual(['[sm] scripted-s1 stopped:\nAll is well']);
  });

  it('goes alone: neither with what waits before it nor with what waits behind', () => {
    const s = idleSession({ parentId: null });
    s.hear({ is: 'prompt-submitted', turnId: 'p0', text: 'something' });
    s.send('00000000');
    s.take(review);
    s.send('bbbbbbbb');
    const batches: (readonly string[])[] = [];
    for (const turnId of ['p0', 'p1', 'p2']) {
      s.hear({ is: 'turn-ended', turnId });
      const messages = s.state.session.attempt?.messages ?? [];
      batches.push(messages);
      s.see(screens.composer());
      s.submitted('typed');
      s.hear({ is: 'prompt-submitted', turnId: `p${batches.length}`, text: '', messages });
    }
    expect(batches).toEqual([['00000000'], [id], ['bbbbbbbb']]);
  });

  it('that may have been started is started again only when it left no trace', () => {
    const s = idleSession({ parentId: null });
    s.take(review);
    s.see(screens.composer());
    s.submitted('unknown');
    s.wait(1_500);
    s.see(screens.composer());
    expect(submits(s)).toEqual([]);
    s.wait(1_500);
    s.see(screens.composer());
    expect(submits(s)).toMatchObject([{ review: { message: id, target } }]);
  });

  it('is told whole, and where the rest is when that is too much', () => {
    const s = reviewing();
    s.hear({ is: 'turn-ended', turnId: 'r1', lastWords: 'x'.repeat(5_000) });
    expect(posts(s)).toEqual([`[sm] scripted-s1 stopped:\n${'x'.repeat(5_000)}`]);
    const long = reviewing();
    long.hear({ is: 'turn-ended', turnId: 'r1', lastWords: 'x'.repeat(20_000) });
    expect(posts(long)).toEqual([
      `[sm] scripted-s1 stopped:\n${'x'.repeat(longestReview)}...\nRead all of it: sm tail s1 --json`,
    ]);
  });

  it('that our own urgent message cuts is over, and not carried on', () => {
    const s = reviewing();
    s.send('cccccccc', undefined, 'urgent');
    s.see(screens.composer('', 'working'));
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'r1' });
    expect(s.state.session.carried).toEqual([]);
    expect(s.message(id).state).toMatchObject({ is: 'cut-off', why: 'by message #cccccccc from the user' });
    expect(posts(s)).toEqual([
      `[sm] scripted-s1 (s1) was cut off before it finished your message #${id}, by message #cccccccc from the user.`,
    ]);
  });
});
