import { agoFrom, numberWithin } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { printLines } from '../io.ts';
import { hitLines, howToSeeMore } from '../text/hit.ts';
import { safeJson } from '../text/safe.ts';
import { clock } from '../text/time.ts';

export default defineCommand({
  usage: 'WORDS… [--session S] [--from S] [--since 8h] [-n N] [--full] [--json]',
  about:
    'Finds words in messages, in what agents said, in handoff documents and in transcripts; the newest first.\n' +
    'All words have to be there, in any order and case. "two words" stand side by side; auth* is the beginning of a word.\n' +
    'An agent searches what its own family wrote and was told.',
  options: {
    session: { value: 'SESSION', help: 'only what this session was told or said' },
    from: { value: 'SESSION', help: 'only what this session wrote; "user": what you wrote' },
    since: { value: 'TIME', help: 'only the last 30m, 8h or 2d' },
    lines: { value: 'N', short: 'n', help: 'number of hits (default 20, at most 200)' },
    full: { help: 'print the whole texts' },
    json: jsonOption,
  },
  async run({ args, options, io, client }) {
    const ago = agoFrom('--since', options.since);
    const limit = numberWithin('-n', options.lines, [1, 200]) ?? 20;
    const { session, from, full } = options;
    const since = ago === undefined ? undefined : new Date(io.now() - ago).toISOString();
    const words = args.map(asGiven).join(' ');
    const found = await client.ask('GET /search', { query: { words, session, from, since, limit, full } });
    if (options.json) return io.out(safeJson(found));
    const { hits, indexed_from: indexed } = found;
    if (hits.length === 0) io.out('Nothing found.\n');
    printLines(
      io,
      hits.flatMap((hit) => hitLines(io, hit)),
    );
    if (hits.length === limit) io.out(`There may be more. See them with: -n ${Math.min(200, limit * 5)}\n`);
    if (hits.length > 0 && !full) printLines(io, howToSeeMore(hits));
    if (indexed !== null)
      io.out(`What is older than ${clock(indexed, io.now())} is still being indexed. Try again soon.\n`);
  },
});

/** The shell has taken the quotes of `"two words"` away. */
const asGiven = (word: string): string => (/\s/.test(word) && !word.includes('"') ? `"${word}"` : word);
