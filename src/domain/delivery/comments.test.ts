import { describe, expect, it } from 'vitest';
import { idleSession, sent, type TestSession } from '../../../test/support/session.ts';
import { commentsText } from '../core/comment.ts';
import { person } from '../core/names.ts';

const comment = { id: 'c1', path: 'b.ts', side: 'new', line: 7, quote: 'let x', text: 'const' } as const;
const add = (s: TestSession, more: object = {}) =>
  s.take({ type: 'comment', by: person, comment: { ...comment, ...more } });
const ids = (s: TestSession) => s.state.session.comments.map(({ id }) => id);
const sending = (id: string, ...comments: string[]) =>
  ({ type: 'send-comments', by: person, comments, sending: sent({ id, text: 'all of them' }) }) as const;

describe('a comment', () => {
  it('is kept until it is sent, and counts once', () => {
    const s = idleSession();
    add(s);
    add(s);
    add(s, { id: 'c2' });
    expect(ids(s)).toEqual(['c1', 'c2']);
    s.take({ type: 'drop-comment', by: person, id: 'c1' });
    expect(ids(s)).toEqual(['c2']);
    expect(s.refusal({ type: 'drop-comment', by: person, id: 'c1' }).code).toBe('not-found');
  });

  it('goes with its message, and what was not in it stays', () => {
    const s = idleSession();
    add(s);
    add(s, { id: 'c2' });
    add(s, { id: 'c3' });
    s.take(sending('m1', 'c1', 'c3'));
    expect(ids(s)).toEqual(['c2']);
    expect(s.message('m1').text).toBe('all of them');
    expect(s.eventsOf('comment sent')).toMatchObject([{ comments: ['c1', 'c3'], message: 'm1' }]);
    // Asked for again after an answer that was lost.
    s.take(sending('m1', 'c1', 'c3'));
    expect(s.eventsOf('comment sent')).toHaveLength(1);
  });

  it('that is gone sends nothing', () => {
    const s = idleSession();
    add(s);
    expect(s.refusal(sending('m1', 'c1', 'gone'))).toMatchObject({ data: { is: 'no-comment', ref: 'gone' } });
    expect(ids(s)).toEqual(['c1']);
    expect(s.events.some(({ type }) => type === 'message')).toBe(false);
  });

  it('is one of a hundred at most', () => {
    const s = idleSession();
    for (let number = 0; number < 100; number += 1) add(s, { id: `n${number}` });
    expect(
      s.refusal({ type: 'comment', by: person, comment: { ...comment, id: 'more' } }).data,
    ).toMatchObject({ is: 'too-many', of: 'comments' });
  });
});

it('comments are one text, file by file and from the top, with the lines that they are on', () => {
  const kept = { ...comment, by: person, at: 0 };
  const all = [
    kept,
    { ...kept, path: 'a.ts', line: 9, side: 'old', quote: 'gone()', text: 'why?' } as const,
    { ...kept, line: 2, quote: 'first', text: 'two\nlines' },
  ];
  expect(commentsText(all, 'Nearly there.')).toBe(
    [
      'Nearly there.',
      '3 comments on your changes:',
      'a.ts:9 (a line that you removed)\n> gone()\nwhy?',
      'b.ts:2\n> first\ntwo\nlines',
      'b.ts:7\n> let x\nconst',
    ].join('\n\n'),
  );
  expect(commentsText([kept], null)).toBe('1 comment on your changes:\n\nb.ts:7\n> let x\nconst');
});
