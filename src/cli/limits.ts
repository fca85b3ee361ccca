// What the daemon takes of short texts, said before anything is sent and in words that name what is wrong.
import { Failure } from './failure.ts';

/** Undefined stays undefined: it was not given. */
export function given<T extends string | undefined>(what: keyof typeof most, text: T): T {
  if (text === undefined) return text;
  if (text.trim() === '') throw new Failure(`The ${what} is empty.`);
  const { length } = text.trim();
  if (length > most[what])
    throw new Failure(`The ${what} has ${length} characters; the limit is ${most[what]}.`);
  return text;
}

const most = {
  name: 64,
  model: 2_000,
  task: 2_000,
  status: 100_000,
  reason: 500,
  answer: 10_000,
  command: 500,
} as const;
