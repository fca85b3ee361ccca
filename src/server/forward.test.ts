import { expect, it } from 'vitest';
import { fromHere, idFromHere } from './forward.ts';

it('a session is called here with its node, and one of ours without', () => {
  expect(idFromHere('a', 'gpu1', 'laptop')).toBe('a@gpu1');
  expect(idFromHere('a@laptop', 'gpu1', 'laptop')).toBe('a');
  expect(idFromHere('a@cloud', 'gpu1', 'laptop')).toBe('a@cloud');
});

it('the ids of sessions and messages in an answer are renamed, and nothing else', () => {
  const view = {
    id: 'a',
    display_name: 'a',
    phase: 'idle',
    parent_session_id: 'boss@laptop',
    question: { id: 'q' },
  };
  expect(fromHere({ session_id: 'a', children: [view], text: 'a' }, 'gpu1', 'laptop')).toEqual({
    session_id: 'a@gpu1',
    children: [{ ...view, id: 'a@gpu1', parent_session_id: 'boss', node: 'gpu1' }],
    text: 'a',
  });
});
