// Who did something, in words.
import { oneLine } from './format/text.ts';

/** `NAME (ID)` of a session as far as it is known, `the user`, or `sm`. */
export function actor(value: unknown): string {
  const { kind, id, name } = (value ?? {}) as { kind?: string; id?: string; name?: string };
  if (kind === 'sm') return 'sm';
  if (kind !== 'session') return 'the user';
  return oneLine(name === undefined ? String(id) : `${name} (${id})`);
}
