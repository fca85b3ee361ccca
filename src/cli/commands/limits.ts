import { defineCommand, jsonOption } from '../command.ts';
import { printLines } from '../io.ts';
import { directory } from '../text/directory.ts';
import { limitHeading, limitRow, noLimits } from '../text/limits.ts';
import { safeJson } from '../text/safe.ts';
import { tableLines } from '../text/table.ts';

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
    if (answer.limits.length === 0) return io.out(`${noLimits}\n`);
    const rows = answer.limits.map((limit) => limitRow(limit, directory(limit.account), io.now()));
    printLines(io, tableLines(limitHeading, rows, io.columns));
  },
});
