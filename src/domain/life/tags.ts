// Tags: words that a person or a team puts on sessions, to name several of them at once.
import type { Change } from '../core/change.ts';
import type { Input, Refusal } from '../core/input.ts';
import { invalid } from '../core/refusal.ts';

/** No colon, comma, space or star: those mean something where sessions are named. */
const tagForm = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,31}$/u;
const mostTags = 32;

/** As a session has them: each once, in order. */
export const inOrder = (tags: readonly string[]): readonly string[] => [...new Set(tags)].sort();

/** Why these cannot be on a session; null: they can. */
export function faultOfTags(tags: readonly string[]): string | null {
  const bad = tags.find((each) => !tagForm.test(each));
  if (bad !== undefined)
    return `"${bad}" cannot be a tag. A tag has 1 to 32 letters, digits or . _ - and starts with a letter or digit.`;
  return inOrder(tags).length > mostTags ? `A session has at most ${mostTags} tags.` : null;
}

export function tag(c: Change, { add, remove, by }: Extract<Input, { type: 'tag' }>): Refusal | undefined {
  const unfit = faultOfTags(add) ?? faultOfTags(remove);
  if (unfit !== null) return invalid(unfit);
  const both = add.find((each) => remove.includes(each));
  if (both !== undefined) return invalid(`The tag ${both} cannot be added and removed at once.`);
  const before = c.session.tags;
  const added = [...new Set(add)].filter((each) => !before.includes(each));
  const removed = before.filter((each) => remove.includes(each));
  if (added.length + removed.length === 0) return undefined;
  const tags = inOrder([...before.filter((each) => !removed.includes(each)), ...added]);
  const tooMany = faultOfTags(tags);
  if (tooMany !== null) return invalid(tooMany);
  c.update({ tags });
  c.emit({ type: 'tagged', by, added, removed });
  return undefined;
}
