// The index on its own, in the thread of whoever opens it.
import type { Found, SearchQuery } from '../ports/search.ts';
import { finding } from './finding.ts';
import { openHistory } from './history.ts';
import { openIndex } from './index-file.ts';
import { indexing } from './indexing.ts';

/** That somebody waits for: some 20 ms. */
const mostSteps = 3;

export interface IndexPaths {
  readonly database: string;
  readonly index: string;
  readonly handoffs: string;
}

export type SearchIndex = ReturnType<typeof openSearchIndex>;

export function openSearchIndex(paths: IndexPaths) {
  const history = openHistory(paths.database, paths.handoffs);
  const db = openIndex(paths.index, history.db);
  const { up, down, merge, prune, from } = indexing(db, history);
  const find = finding(db, history);

  return {
    /** What is new is found at once, and of the rest what does not take long. */
    find(query: SearchQuery): Found {
      while (up());
      for (let steps = 0; steps < mostSteps && down(); steps += 1);
      return { hits: find(query), from: from() };
    },
    /** One small step; false: there is nothing to do. */
    step(): boolean {
      const more = up() || down();
      // As it grows: of many small parts, the search would have to look into each.
      return merge() || more;
    },
    prune,
    /** How many texts it knows. */
    size: (): number =>
      Number((db.prepare('SELECT count(*) AS count FROM found_docsize').get() as { count: number }).count),
    close(): void {
      db.close();
      history.close();
    },
  };
}
