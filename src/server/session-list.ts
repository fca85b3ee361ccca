// A list of sessions as JSON, joined from the texts of views that are kept.

import type { Fits } from './selection.ts';
import type { Service } from './service.ts';

interface Listed {
  /** With killed ones. */
  readonly retired: boolean;
  readonly rows: boolean;
}

export async function listText(
  { engine, store, viewTexts }: Service,
  { retired, rows }: Listed,
  fits: Fits = () => true,
): Promise<string> {
  const gone = retired ? await store.retired(1_000) : [];
  const texts = await engine.whenStored(() =>
    [...[...engine.all()].map(({ session }) => session), ...gone]
      .filter(fits)
      .map(rows ? viewTexts.rowOf : viewTexts.of),
  );
  return `{"sessions":[${texts.join(',')}]}`;
}
