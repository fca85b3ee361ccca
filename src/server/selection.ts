// Which sessions a selector means. It is evaluated once, here; whoever acts on the result acts on the ids.

import { repositoryName } from '../domain/core/checkout.ts';
import { invalid } from '../domain/core/refusal.ts';
import { displayName, type Phase, phaseOf, type Session } from '../domain/core/session.ts';
import { readSelector } from '../protocol/selector.ts';
import { phase as phases } from '../protocol/session-view.ts';
import { Refused } from './refused.ts';

export type Fits = (session: Session) => boolean;

/** `one`: the session that a reference means, which is no selector. */
export function fitsSelector(ref: string, one: (ref: string) => Session): Fits {
  const { kind, value } = readSelector(ref);
  switch (kind) {
    case 'name':
      return (session) => fitsPattern(displayName(session), value);
    case 'tag':
      return ({ tags }) => tags.some((tag) => fitsPattern(tag, value));
    case 'repo':
      return ({ checkout }) => {
        if (!checkout) return false;
        return fitsPattern(repositoryName(checkout), value) || fitsPattern(checkout.repository, value);
      };
    case 'children': {
      const { id } = one(value);
      return ({ parentId }) => parentId === id;
    }
    case 'phase': {
      const wanted = phaseCalled(value);
      return (session) => phaseOf(session) === wanted;
    }
  }
}

function phaseCalled(value: string): Phase {
  const { success, data } = phases.safeParse(value);
  if (success) return data;
  const message = `No phase "${value}". The phases are: ${phases.options.join(', ')}.`;
  throw new Refused(invalid(message));
}

/** `*` stands for any characters, `?` for one. One pass, whatever the pattern: nobody waits for a clever one. */
export function fitsPattern(text: string, pattern: string): boolean {
  const [letters, signs] = [[...text], [...pattern]];
  let at = 0;
  let sign = 0;
  let star = -1;
  let from = 0;
  while (at < letters.length) {
    if (signs[sign] === '*') {
      star = sign++;
      from = at;
    } else if (signs[sign] === '?' || signs[sign] === letters[at]) {
      sign += 1;
      at += 1;
    } else if (star >= 0) {
      // The last star takes one more.
      sign = star + 1;
      at = ++from;
    } else return false;
  }
  return signs.slice(sign).every((each) => each === '*');
}
