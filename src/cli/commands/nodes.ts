import type { NodeView } from '../../protocol/node.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { printLines } from '../io.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { tableLines } from '../text/table.ts';
import { ago } from '../text/time.ts';

const heading = ['NODE', 'STATE', 'SESSIONS', 'LOAD', 'LATENCY', 'VERSION', 'LABELS'];

export default defineCommand({
  usage: '[--json]',
  about:
    'Lists the machines of your fleet. LOAD is per core; LATENCY is the way from a node to the NATS server.\n' +
    'A node that is away keeps its agents running; messages to it wait.',
  options: { json: jsonOption },
  arity: [0, 0],
  async run({ options, io, client }) {
    const answer = await client.ask('GET /nodes');
    if (options.json) return io.out(safeJson(answer));
    if (answer.node === null)
      return io.out('No fleet. This machine works alone; see "fleet:" in the guide to join others.\n');
    const rows = answer.nodes.map((node) => row(node, io.now()));
    printLines(io, tableLines(heading, rows, io.columns));
    for (const { name, refused_why: why } of answer.nodes)
      if (why !== null) io.err(`${oneLine(name)} is refused: ${oneLine(why)}.\n`);
    if (answer.away !== null)
      io.err(`The NATS server cannot be reached: ${oneLine(answer.away)}. Local work goes on; mail waits.\n`);
  },
});

function stateText(state: NodeView['state'], since: string | null, now: number): string {
  return state === 'away' && since !== null ? `away since ${ago(since, now)}` : state;
}

function row({ name, own, state, away_since: since, ...node }: NodeView, now: number): string[] {
  return [
    oneLine(own ? `${name} (this one)` : name),
    stateText(state, since, now),
    String(node.sessions),
    node.load.toFixed(2),
    node.latency_ms === null ? '' : `${node.latency_ms} ms`,
    oneLine(node.version),
    node.labels.map(oneLine).join(' '),
  ];
}
