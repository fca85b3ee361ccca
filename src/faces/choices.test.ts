import { describe, expect, it } from 'vitest';
import { session } from '../../test/support/stand-in-daemon.ts';
import { arrange } from './attention.ts';
import {
  type Choices,
  choicesFrom,
  choicesText,
  chosenFor,
  chosenForList,
  noChoices,
  stillSnoozed,
  wantedOf,
} from './choices.ts';

const now = Date.parse('2025-01-02T12:00:00Z');
const one = session({ id: 'one', name: 'login', tags: ['night'] });
const two = session({ id: 'two', name: 'docs', phase: 'lost' });
const press = (choices: Choices, key: string, on = one): Choices => ({
  ...choices,
  ...(chosenForList(choices, key) ?? chosenFor(choices, on, key, now)),
});
const shown = (choices: Choices) =>
  arrange([one, two], wantedOf(choices)).flatMap((line) =>
    line.kind === 'title' ? [] : [line.row.session.id],
  );

describe('what somebody chooses', () => {
  it('is taken back by the same key', () => {
    for (const key of ['*', ' ', 'z', 'p', 'b'])
      expect(press(press(noChoices, key), key), key).toEqual(noChoices);
    expect(chosenFor(noChoices, one, 'x', now)).toBeNull();
  });

  it('shows only problems, without those that were sent away', () => {
    expect(shown(press(noChoices, 'p'))).toEqual(['two']);
    expect(shown(press(press(noChoices, 'p'), 'z', two))).toEqual([]);
  });

  it('finds words anywhere, tags included', () => {
    expect(shown({ ...noChoices, filter: 'NIGHT log' })).toEqual(['one']);
  });

  it('lasts, but for what is looked for at the moment', () => {
    const choices = {
      ...press(press(press(noChoices, '*'), 'z', two), 'b'),
      filter: 'x',
      problemsOnly: true,
    };
    const kept = choicesFrom(choicesText(choices));
    expect(kept).toEqual({ ...choices, filter: '', problemsOnly: false });
    expect(stillSnoozed(kept, now + 59 * 60_000).size).toBe(1);
    expect(stillSnoozed(kept, now + 61 * 60_000).size).toBe(0);
    for (const broken of ['', 'null', '{"pinned":7}', '[]']) expect(choicesFrom(broken)).toEqual(noChoices);
  });
});
