import { agoFrom } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { printLines } from '../io.ts';
import { digestLines } from '../text/digest.ts';
import { safeJson } from '../text/safe.ts';

const hour = 3_600_000;

export default defineCommand({
  usage: '[SESSION] [--since 8h] [--json]',
  about:
    'Tells what happened while you were away: who waits for you now, what failed, and what each session did; the most\n' +
    'important first. Of SESSION: it and all sessions below it. An agent hears of its own family.',
  options: {
    since: { value: 'TIME', help: 'the last 30m, 8h or 2d (default 8h)' },
    json: jsonOption,
  },
  async run({ args: [session], options, io, client }) {
    const ago = agoFrom('--since', options.since) ?? 8 * hour;
    const since = new Date(io.now() - ago).toISOString();
    const digest = await client.ask('GET /digest', { query: { since, session } });
    if (options.json) return io.out(safeJson(digest));
    printLines(io, digestLines(io, digest));
  },
});
