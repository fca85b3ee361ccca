// What a session is called, and what it may be called.
import type { Change } from '../core/change.ts';
import { isName } from '../core/ids.ts';
import type { Others, Refusal } from '../core/input.ts';
import { conflict, invalid } from '../core/refusal.ts';

export function rename(c: Change, name: string, others: Others): Refusal | undefined {
  const bad = checkName(name, c.session.id, others);
  if (bad) return bad;
  c.update({ friendlyName: name });
  c.emit({ type: 'session', step: 'renamed', name });
  return undefined;
}

/** In headers and notices these are the person and ourselves; and what begins so names several sessions. */
const reserved = /^(the[ _-]?)?user$|^sm$|^(a|the)[ _-]human$|^human$|^(tag|repo|children|phase):/i;

export function checkName(name: string, id: string, others: Others): Refusal | undefined {
  if (!isName(name)) {
    return invalid(
      'A name has 1 to 64 letters, digits, spaces or . _ @ : + - and starts with a letter or digit.',
    );
  }
  if (reserved.test(name)) return invalid(`"${name}" is reserved. Choose another name.`);
  if (others.isNameTaken(name, id))
    return conflict(`Another session already has the name "${name}". Choose another name.`, {
      is: 'name-taken',
      name,
    });
  return undefined;
}

/** While it was away another session may have taken its name; then it goes by its first one again. */
export function yieldTakenName(c: Change, others: Others): void {
  const { friendlyName, id, name } = c.session;
  if (friendlyName === null || !others.isNameTaken(friendlyName, id)) return;
  c.update({ friendlyName: null });
  c.emit({ type: 'session', step: 'renamed', name });
}
