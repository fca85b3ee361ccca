// Looks words up in the index, and the texts that they stand in up in the history. The number of an event tells which is
// newer, and the index is read from its end, so that the first hits cost the same whatever came before them.
import type { Hit, Place, SearchQuery, Term } from '../ports/search.ts';
import type { Event, History } from './history.ts';
import type { Database } from './index-file.ts';
import { type Spot, spotIn } from './spot.ts';
import { linesOf, type Part } from './transcripts.ts';

export function finding(db: Database, history: History) {
  const sql = {
    find: db.prepare('SELECT rowid AS number FROM found WHERE found MATCH ? ORDER BY rowid DESC'),
    part: db.prepare('SELECT provider, path, start, end, line FROM part WHERE number = ?'),
  };

  /** Where in what belongs to an event the words stand; null: it is forgotten, or the file is gone. */
  function standIn(event: Event, terms: readonly Term[]): Standing | null {
    const passage = history.passage(event);
    const spot = passage && spotIn(passage.text, terms);
    if (spot && spot.matched !== '')
      return { ...spot, text: passage.text, place: placed(passage.place, spot) };
    const part = sql.part.get(event.number) as Part | undefined;
    for (const { line, text } of part ? linesOf(part) : []) {
      const inLine = spotIn(text, terms);
      if (part && inLine.matched !== '')
        return { ...inLine, text, place: { kind: 'transcript', path: part.path, line } };
    }
    return spot && !part ? { ...spot, text: passage.text, place: passage.place } : null;
  }

  return (query: SearchQuery): Hit[] => {
    const hits: Hit[] = [];
    let previous = '';
    for (const row of sql.find.iterate(matchOf(query))) {
      const event = history.one((row as { number: number }).number);
      if (event && query.since !== null && event.at < query.since) break;
      const standing = event && standIn(event, query.terms);
      if (!standing) continue;
      const { place, snippet, matched, text } = standing;
      const { number, sessionId, at } = event;
      // The last words of a turn may also have been said in it.
      const same = place.kind === 'words' ? `${sessionId} ${text}` : '';
      if (same !== '' && same === previous) continue;
      previous = same;
      hits.push({ number, sessionId, at, place, snippet, matched, text: query.full ? text : null });
      if (hits.length === query.limit) break;
    }
    return hits;
  };
}

interface Standing extends Pick<Hit, 'place' | 'snippet' | 'matched'> {
  readonly text: string;
}

const placed = (place: Place, { line }: Spot): Place =>
  place.kind === 'document' ? { ...place, line } : place;

/** In the words of FTS5. All of them are quoted, so that none is a sign. */
function matchOf({ terms, session, from, within }: SearchQuery): string {
  const parts = [`{text transcript} : (${terms.map(phrase).join(' AND ')})`];
  if (session !== null) parts.push(`{session} : ${quoted(session)}`);
  if (from !== null) parts.push(`{sender} : ${quoted(from)}`);
  if (within)
    parts.push(`({session family} : ${quoted(within.eldest)} OR {sender} : ${quoted(within.self)})`);
  return parts.join(' AND ');
}

const phrase = ({ words, prefix }: Term): string => `${quoted(words.join(' '))}${prefix ? ' *' : ''}`;
const quoted = (text: string): string => `"${text.replaceAll('"', '')}"`;
