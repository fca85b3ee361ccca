// Finds words in messages, in what agents said, in documents and transcripts.
import { useState } from 'preact/hooks';
import { oneLine } from '../cli/text/safe.ts';
import { actor } from '../cli/text/session.ts';
import { clock } from '../cli/text/time.ts';
import type { HitView } from '../protocol/search.ts';
import type { Deeds } from './deeds.ts';
import { findLink, messageLink, sessionLink } from './route.ts';
import { useAnswer } from './use-answer.ts';

export function Find({ words, deeds }: { readonly words: string; readonly deeds: Deeds }) {
  const [text, setText] = useState(words);
  return (
    <section class="find">
      <form
        class="tools"
        onSubmit={(event) => {
          event.preventDefault();
          location.hash = findLink(text.trim());
        }}
      >
        <input
          type="search"
          aria-label="Words to find"
          placeholder="Words in messages, answers, documents, transcripts"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="main">
          Find
        </button>
      </form>
      {words !== '' && <Hits words={words} deeds={deeds} />}
    </section>
  );
}

function Hits({ words, deeds }: { readonly words: string; readonly deeds: Deeds }) {
  const asked = useAnswer(() => deeds.client.ask('GET /search', { query: { words, limit: 50 } }), [words]);
  if (asked.is === 'waiting') return <p class="quiet">…</p>;
  if (asked.is === 'refused') return <p class="quiet">{asked.why}</p>;
  const { hits } = asked.answer;
  if (hits.length === 0) return <p class="quiet">Nothing has these words.</p>;
  return (
    <ul class="hits">
      {hits.map((hit) => (
        <li key={`${hit.event} ${hit.line}`}>
          <p class="head">
            <time dateTime={hit.at}>{clock(hit.at, Date.now())}</time>{' '}
            <a
              href={
                hit.message_id === null ? sessionLink(hit.session_id, 'events') : messageLink(hit.message_id)
              }
            >
              {oneLine(hit.session_name)} ({hit.session_id})
            </a>{' '}
            {placeOfHit(hit)}
          </p>
          <Snippet hit={hit} />
        </li>
      ))}
    </ul>
  );
}

function Snippet({ hit: { snippet, matched } }: { readonly hit: HitView }) {
  const at = matched === '' ? -1 : snippet.indexOf(matched);
  if (at < 0) return <p>{snippet}</p>;
  return (
    <p>
      {snippet.slice(0, at)}
      <mark>{matched}</mark>
      {snippet.slice(at + matched.length)}
    </p>
  );
}

function placeOfHit({ kind, from, path, line }: HitView): string {
  switch (kind) {
    case 'message':
      return `message from ${actor(from)}`;
    case 'words':
      return 'said';
    case 'document':
      return `handoff document, line ${line}`;
    case 'transcript':
      return `transcript ${path?.split('/').at(-1) ?? ''}, line ${line}`;
  }
}
