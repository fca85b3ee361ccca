// Faults on request, for tests: SCRIPTED_FAULTS is a comma list of `name` or `name:argument…`.

export interface Faults {
  /** Loses this Enter, if it still has to lose one. */
  loseEnter(): boolean;
  /** `subject`: what its matchers are held against. */
  hook(event: string, subject: string): { skip: boolean; twice: boolean; lateMs: number };
  readonly slowStartMs: number;
  /** Older versions fire a Stop for `/clear`, this many ms after it; null: none. */
  readonly stopOnClearMs: number | null;
  readonly trustDialog: boolean;
  readonly precompactOnly: boolean;
  readonly garbageScreen: boolean;
  /** Leaves lines of this type or subtype out of the transcript, as another version or a torn file would. */
  losesLine(line: { readonly type: string; readonly subtype?: unknown }): boolean;
  /** Writes this line in two pieces, with a moment between them in which anybody may read it, or kill us. */
  tearsLine(): boolean;
  /** It draws its composer as no version before it did, until this file is there. */
  readonly newComposer: string | null;
}

export function parseFaults(list: string): Faults {
  const faults = list
    .split(',')
    .filter(Boolean)
    .map((fault) => fault.trim().split(':'));
  const has = (name: string, argument?: string) =>
    faults.some((fault) => fault[0] === name && (argument === undefined || fault[1] === argument));
  const figure = (name: string) => Number(faults.find((fault) => fault[0] === name)?.[1] ?? 0);

  let entersToLose = figure('lose-enter');
  const tornLines = figure('torn-lines');
  let lines = 0;
  return {
    loseEnter: () => entersToLose > 0 && entersToLose-- > 0,
    hook: (event, subject) => ({
      skip:
        faults.some(
          ([name, of, only]) => name === 'no-hook' && of === event && (!only || only === subject),
        ) ||
        (event === 'Stop' && has('no-stop')),
      twice: has('double-hook', event),
      lateMs: Number(faults.find((fault) => fault[0] === 'late-hook' && fault[1] === event)?.[2] ?? 0),
    }),
    slowStartMs: figure('slow-start'),
    stopOnClearMs: has('stop-on-clear') ? figure('stop-on-clear') : null,
    trustDialog: has('trust-dialog'),
    precompactOnly: has('precompact-only'),
    garbageScreen: has('garbage-screen'),
    losesLine: ({ type, subtype }) => has('no-line', type) || has('no-line', String(subtype)),
    tearsLine: () => tornLines > 0 && ++lines % tornLines === 0,
    newComposer: faults.find(([name]) => name === 'new-composer')?.[1] ?? null,
  };
}
