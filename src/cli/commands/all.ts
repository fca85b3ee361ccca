import { tellBrokenChannels } from '../broken-channels.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { printLines } from '../io.ts';
import { directory } from '../text/directory.ts';
import { startOne } from '../text/hints.ts';
import { limitsLine } from '../text/limits.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { sessionTable, sessionTableByRepo } from '../text/session-table.ts';

export default defineCommand({
  usage: '[--filter SELECTOR] [--by repo] [--here] [--retired] [--json]',
  about:
    'Lists the sessions, children under their parents. A narrow terminal shows fewer columns; --json has everything.\n' +
    "SELECTOR is a name, tag:T, repo:R, children:S, phase:P or a pattern such as 'worker-*'; several with commas between.",
  options: {
    filter: { value: 'SELECTOR', help: 'only those that it matches' },
    by: { value: 'repo', help: 'group them by repository' },
    here: { help: 'only those of this machine' },
    retired: { help: 'include killed sessions' },
    json: jsonOption,
  },
  async run({ options: { filter, by, here, retired, json }, io, client }) {
    if (by !== undefined && by !== 'repo') throw new Failure(`--by takes repo, not "${oneLine(by)}".`);
    if (json) {
      const all = await (filter === undefined
        ? client.ask('GET /sessions', { query: { retired, fleet: !here } })
        : client.ask('GET /selection', { query: { of: filter, retired } }));
      return io.out(safeJson(all));
    }
    const {
      rows,
      node,
      limits = [],
    } = await client.ask('GET /rows', {
      query: { ...(filter !== undefined && { of: filter }), retired, here },
    });
    if (rows.length === 0)
      io.out(
        filter === undefined ? `No sessions. ${startOne}\n` : `No session matches ${oneLine(filter)}.\n`,
      );
    else printLines(io, by === 'repo' ? sessionTableByRepo(io, rows, node) : sessionTable(io, rows, node));
    const limit = limitsLine(limits, directory, io.now());
    if (limit !== undefined) io.err(`${limit}. See: sm limits\n`);
    const stranded = rows.filter((row) => row.stranded).length;
    if (stranded > 0 && io.outputIsTerminal)
      io.err(`${stranded} ended with the machine or the tmux server. Bring back with: sm restore --all\n`);
    await tellBrokenChannels(io, client);
  },
});
