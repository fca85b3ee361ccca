// What somebody wants to see of the list: pinned, snoozed, folded, only problems, by repository, by words. The same keys and
// rules on every face; where it is kept is the face's own business.
import type { SessionView } from '../protocol/session.ts';
import { isSnoozed, stateOf, tierOf, type Wanted } from './attention.ts';

export interface Choices {
  readonly pinned: ReadonlySet<string>;
  readonly folded: ReadonlySet<string>;
  /** The state in which each was sent away, and when it comes back anyway. */
  readonly snoozed: ReadonlyMap<string, { readonly state: string; readonly until: number }>;
  readonly byRepository: boolean;
  readonly problemsOnly: boolean;
  readonly filter: string;
}

export const noChoices: Choices = {
  pinned: new Set(),
  folded: new Set(),
  snoozed: new Map(),
  byRepository: false,
  problemsOnly: false,
  filter: '',
};

const snoozeMs = 60 * 60_000;

/** What a key chooses for the list; null: it is none of these. */
export function chosenForList(choices: Choices, key: string): Partial<Choices> | null {
  if (key === 'p') return { problemsOnly: !choices.problemsOnly };
  if (key === 'b') return { byRepository: !choices.byRepository };
  return null;
}

/** What a key chooses for one session; null: it is none of these. */
export function chosenFor(
  choices: Choices,
  session: SessionView,
  key: string,
  now: number,
): Partial<Choices> | null {
  const { id } = session;
  switch (key) {
    case '*':
      return { pinned: toggled(choices.pinned, id) };
    case ' ':
      return { folded: toggled(choices.folded, id) };
    case 'z': {
      const snoozed = new Map(stillSnoozed(choices, now));
      if (!snoozed.delete(id)) snoozed.set(id, { state: stateOf(session), until: now + snoozeMs });
      return { snoozed };
    }
    default:
      return null;
  }
}

type KeyWords = readonly (readonly [key: string, words: string])[];

/** Those keys, and what each would do now. */
export const sessionChoices = ({ pinned, snoozed }: Choices, { id }: SessionView): KeyWords => [
  ['*', pinned.has(id) ? 'unpin it' : 'pin it to the top'],
  ['z', snoozed.has(id) ? 'bring it back' : 'snooze it: it comes back when something changes, or in an hour'],
  ['space', 'fold or unfold its family'],
];

export const listChoices = ({ problemsOnly, byRepository }: Choices): KeyWords => [
  ['p', problemsOnly ? 'show all' : 'only those with problems'],
  ['b', byRepository ? 'group by need' : 'group by repository'],
];

function toggled(set: ReadonlySet<string>, value: string): Set<string> {
  const next = new Set(set);
  if (!next.delete(value)) next.add(value);
  return next;
}

export function stillSnoozed({ snoozed }: Choices, now: number): Choices['snoozed'] {
  return new Map([...snoozed].filter(([, { until }]) => until > now));
}

const problems = new Set(['waiting', 'trouble']);

export function wantedOf(choices: Choices): Wanted {
  const words = choices.filter.toLowerCase().split(/\s+/).filter(Boolean);
  const snoozed = new Map([...choices.snoozed].map(([id, { state }]) => [id, state]));
  return {
    ...choices,
    snoozed,
    shows: (session) =>
      (!choices.problemsOnly || (problems.has(tierOf(session)) && !isSnoozed(session, { snoozed }))) &&
      (words.length === 0 || hasAll(searched(session), words)),
  };
}

const hasAll = (text: string, words: readonly string[]): boolean =>
  words.every((word) => text.includes(word));

const searched = (session: SessionView): string =>
  [
    session.display_name,
    session.id,
    session.provider,
    session.working_dir,
    session.phase,
    session.current_task,
    session.agent_status_text,
    session.checkout?.branch,
    ...session.tags,
  ]
    .join(' ')
    .toLowerCase();

/** What lasts from one time to the next. */
export function choicesText({ pinned, folded, snoozed, byRepository }: Choices): string {
  return JSON.stringify({
    pinned: [...pinned],
    folded: [...folded],
    snoozed: Object.fromEntries(snoozed),
    byRepository,
  });
}

/** A text that cannot be read is one without choices. */
export function choicesFrom(text: string): Choices {
  try {
    const kept = JSON.parse(text) as Readonly<Record<string, unknown>>;
    return {
      ...noChoices,
      pinned: new Set(strings(kept.pinned)),
      folded: new Set(strings(kept.folded)),
      snoozed: new Map(Object.entries((kept.snoozed ?? {}) as Record<string, never>)),
      byRepository: kept.byRepository === true,
    };
  } catch {
    return noChoices;
  }
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
