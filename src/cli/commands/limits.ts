import type { LimitView } from '../../protocol/limits.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { printLines } from '../io.ts';
import { directory } from '../text/directory.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { tableLines } from '../text/table.ts';
import { ago, shortClock } from '../text/time.ts';

const heading = ['ACCOUNT', 'AGENT', 'WINDOW', 'USED', 'RESETS', 'PACE', 'FULL', 'TOLD'];

export default defineCommand({
  usage: '[--json]',
  about:
    'Shows how much of their usage limits your accounts have used, as the agents report it, and when each limit resets.\n' +
    'PACE is in points per hour; FULL is when nothing is left at that pace.',
  options: { json: jsonOption },
  arity: [0, 0],
  async run({ options, io, client }) {
    const answer = await client.ask('GET /limits');
    if (options.json) return io.out(safeJson(answer));
    if (answer.limits.length === 0)
      return io.out('No agent has told of a limit. They do so with the first answer on a subscription.\n');
    const rows = answer.limits.map((limit) => row(limit, io.now()));
    printLines(io, tableLines(heading, rows, io.columns));
  },
});

function row(limit: LimitView, now: number): string[] {
  const { used_percentage: used, resets_at: resets, points_per_hour: pace } = limit;
  return [
    directory(limit.account),
    limit.providers.map(oneLine).join(', '),
    oneLine(limit.window),
    used === null ? '?' : `${Math.floor(used)}%`,
    resets === null ? '?' : used === null ? 'has reset' : shortClock(resets, now),
    pace === null ? '' : `${pace}/h`,
    full(limit, now),
    ago(limit.told_at, now),
  ];
}

function full({ forecast, reached_at: at }: LimitView, now: number): string {
  if (forecast === 'reached') return 'now';
  if (forecast === 'not-before-reset') return 'not before it resets';
  return at === null ? '' : shortClock(at, now);
}
