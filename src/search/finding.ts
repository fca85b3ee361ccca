// Looks words up in the index, and the texts that they stand in up in the history. The number of an event tells which is
// newer, and the index is read from its end, so that the first hits cost the same whatever came before them.
import type { Hit, SearchQuery, Term } from '../ports/search.ts';
import type { History } from './history.ts';
import type { Database } from './index-file.ts';
import { spotIn } from './spot.ts';

export function finding(db: Database, history: History) {
  const sql = db.prepare('SELECT rowid AS number FROM found WHERE found MATCH ? ORDER BY rowid DESC');

  return (query: SearchQuery): Hit[] => {
    const hits: Hit[] = [];
    let previous = '';
    for (const row of sql.iterate(matchOf(query))) {
      const event = history.one((row as { number: number }).number);
      if (event && query.since !== null && event.at < query.since) break;
      const passage = event && history.passage(event);
      // Forgotten since; or the last words of a turn, which were also said in it.
      if (!passage || `${event.sessionId} ${passage.text}` === previous) continue;
      previous = passage.place.kind === 'words' ? `${event.sessionId} ${passage.text}` : '';
      const { number, sessionId, at } = event;
      const { snippet, matched, line } = spotIn(passage.text, query.terms);
      const place = passage.place.kind === 'document' ? { ...passage.place, line } : passage.place;
      const text = query.full ? passage.text : null;
      hits.push({ number, sessionId, at, place, snippet, matched, text });
      if (hits.length === query.limit) break;
    }
    return hits;
  };
}

/** In the words of FTS5. All of them are quoted, so that none is a sign. */
function matchOf({ terms, session, from, within }: SearchQuery): string {
  const parts = [`{text} : (${terms.map(phrase).join(' AND ')})`];
  if (session !== null) parts.push(`{session} : ${quoted(session)}`);
  if (from !== null) parts.push(`{sender} : ${quoted(from)}`);
  if (within)
    parts.push(`({session family} : ${quoted(within.eldest)} OR {sender} : ${quoted(within.self)})`);
  return parts.join(' AND ');
}

const phrase = ({ words, prefix }: Term): string => `${quoted(words.join(' '))}${prefix ? ' *' : ''}`;
const quoted = (text: string): string => `"${text.replaceAll('"', '')}"`;
