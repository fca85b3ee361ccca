// What a search has found: where, and the words around it.
import type { HitView } from '../../protocol/search.ts';
import type { Io } from '../io.ts';
import { coloursFor } from './colours.ts';
import { directory } from './directory.ts';
import { oneLine, safeText } from './safe.ts';
import { actor } from './session.ts';
import { clock } from './time.ts';

export function hitLines(io: Io, hit: HitView): string[] {
  const colours = coloursFor(io);
  const name = `${oneLine(hit.session_name)} (${oneLine(hit.session_id)})`;
  const head = `${colours.bold(name)}  ${clock(hit.at, io.now())}  ${placeText(hit)}`;
  if (hit.text !== null) return [head, ...safeText(hit.text.trimEnd()).split('\n').map(indented), ''];
  const matched = oneLine(hit.matched);
  const snippet = oneLine(hit.snippet);
  const at = matched === '' ? -1 : snippet.indexOf(matched);
  if (at < 0) return [head, indented(snippet)];
  const [before, after] = [snippet.slice(0, at), snippet.slice(at + matched.length)];
  return [head, indented(`${before}${colours.yellow(matched)}${after}`)];
}

function placeText({ kind, message_id: id, from, path, line }: HitView): string {
  switch (kind) {
    case 'message':
      return `message #${oneLine(id ?? '')} from ${actor(from)}`;
    case 'words':
      return 'said';
    case 'document':
      return `handoff document ${directory(path ?? '')}:${line}`;
    case 'transcript':
      return `transcript ${directory(path ?? '')}:${line}`;
  }
}

export function howToSeeMore(hits: readonly HitView[]): string[] {
  const message = hits.find(({ kind }) => kind === 'message')?.message_id;
  return [`Whole texts: add --full${message ? `. The life of a message: sm trace ${oneLine(message)}` : ''}`];
}

const indented = (line: string): string => `  ${line}`;
