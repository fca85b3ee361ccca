// The steps that several keys share.
import type { Choices } from '../faces/choices.ts';
import type { Next, State, Wish } from './state.ts';

export const and = (state: State, ...wishes: Wish[]): Next => ({ state, wishes });

export const noted = (state: State, text: string, bad = false, ...wishes: Wish[]): Next =>
  and({ ...state, note: { text, bad } }, ...wishes);

/** Runs a command of `sm`, and keeps it in the log. */
export function run(state: State, argv: readonly string[]): Next {
  const number = Math.max(0, ...state.log.keys()) + 1;
  const log = new Map(state.log).set(number, { argv, code: null, out: '' });
  return and({ ...state, log, dialog: null }, { do: 'run', run: number, argv });
}

/** The same, and shows what it prints; at its end, where the newest stands last. */
export function showText(
  state: State,
  argv: readonly string[],
  title: string,
  at: 'begin' | 'end' = 'begin',
): Next {
  const next = run(state, argv);
  const number = Math.max(...next.state.log.keys());
  const top = at === 'end' ? Number.POSITIVE_INFINITY : 0;
  return { ...next, state: { ...next.state, dialog: { kind: 'text', title, run: number, top } } };
}

/** What is shown, and kept for the next time. */
export const chosen = (state: State, change: Partial<Choices>): Next => {
  const choices = { ...state.choices, ...change };
  return and({ ...state, choices }, { do: 'keep', choices });
};
