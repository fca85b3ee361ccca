import { costBy } from '../../faces/cost-by.ts';
import { agoFrom } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { findSession } from '../find-session.ts';
import { printLines } from '../io.ts';
import { costLines } from '../text/cost.ts';
import { oneLine, safeJson } from '../text/safe.ts';

export default defineCommand({
  usage: '[SESSION] [--since 1d] [--by session|context|family|day] [--json]',
  about:
    'Shows the tokens that sessions have used, and what they cost: as the agent reports it, else by the prices in your\n' +
    'configuration. Without a price the cost is unknown (?). One session is shown by context; --by family adds its relatives.',
  options: {
    since: { value: 'TIME', help: 'only the last 30m, 8h or 2d (to a quarter of an hour)' },
    by: { value: 'WHAT', help: 'one line per session (default), context, family or day' },
    json: jsonOption,
  },
  async run({ args: [ref], options, io, client }) {
    const ago = agoFrom('--since', options.since);
    const since = ago === undefined ? undefined : new Date(io.now() - ago).toISOString();
    const by = costBy.find((kind) => kind === options.by);
    if (options.by !== undefined && !by)
      throw new Failure(`--by takes ${costBy.join(', ')}, not "${oneLine(options.by)}".`);
    const session = ref === undefined ? undefined : (await findSession(io, client, ref)).id;
    const cost = await client.ask('GET /cost', { query: { session, since, by } });
    if (options.json) return io.out(safeJson(cost));
    printLines(io, costLines(cost, io.columns));
  },
});
