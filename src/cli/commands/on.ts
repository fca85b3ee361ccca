import type { TriggerView } from '../../protocol/trigger.ts';
import { defineCommand, type Invocation, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { type Io, printLines } from '../io.ts';
import { nearest } from '../nearest.ts';
import { coloursFor } from '../text/colours.ts';
import { directory } from '../text/directory.ts';
import { oneLine, safeJson, safeText } from '../text/safe.ts';
import { type Cell, tableLines } from '../text/table.ts';
import { ago } from '../text/time.ts';

type Run = Invocation<{ readonly json: boolean }>;

/** In the order in which they matter. */
const occasions = [
  'waiting',
  'failed',
  'died',
  'silent',
  'finished',
  'limit',
] as const satisfies readonly Occasion[];
type Occasion = TriggerView['when'][number];

export default defineCommand({
  usage: '[test OCCASION [SESSION]] [--json]',
  about:
    'Lists the programs that your configuration runs (on:), and how each ended the last time. test runs those of an\n' +
    `occasion now, with an event that is made up. The occasions: ${occasions.join(', ')}.`,
  options: { json: jsonOption },
  arity: [0, 3],
  async run(invocation) {
    const [action, ...args] = invocation.args;
    if (action === undefined) return list(invocation);
    if (action !== 'test') throw new Failure(`Unknown action "${action}". Use test; or none, to list.`);
    return tryOut(invocation, args);
  },
});

async function list({ options, io, client }: Run): Promise<number> {
  const answer = await client.ask('GET /triggers');
  if (options.json) io.out(safeJson(answer));
  else printLines(io, listLines(io, answer.triggers));
  return 0;
}

function listLines(io: Io, triggers: readonly TriggerView[]): string[] {
  if (triggers.length === 0)
    return ['No programs. Write them under on: in the configuration (see docs/guide/away.md).'];
  const { dim, red } = coloursFor(io);
  const rows = triggers.map((each): Cell[] => [
    oneLine(each.name),
    each.when.join(', '),
    oneLine(each.sessions ?? 'all'),
    {
      text: lastText(each, io.now()),
      paint: each.last && each.last.outcome !== 'done' ? red : undefined,
    },
    each.run.map(directory).join(' '),
  ]);
  const [head = '', ...lines] = tableLines(
    ['NAME', 'WHEN', { title: 'SESSIONS', leaves: 1 }, 'LAST', 'PROGRAM'],
    rows,
    io.columns,
  );
  return [dim(head), ...lines];
}

/** `done 2m ago`, `failed 1h ago: exit code 3` */
function lastText({ last }: TriggerView, now: number): string {
  if (!last) return 'never';
  return `${last.outcome} ${ago(last.at, now)}${last.why === null ? '' : `: ${oneLine(last.why)}`}`;
}

async function tryOut({ options, io, client }: Run, args: readonly string[]): Promise<number> {
  const [given, session] = args;
  const occasion = occasions.find((each) => each === given);
  if (!occasion) throw new Failure(`${noOccasion(given)} The occasions: ${occasions.join(', ')}.`);
  const { ran } = await client.ask('POST /triggers/test', { body: { occasion, session } });
  if (options.json) io.out(safeJson({ ran }));
  else if (ran.length === 0) throw new Failure(nothingRuns(occasion, session));
  else
    printLines(
      io,
      ran.flatMap(({ trigger, why, output }) => [
        `${oneLine(trigger)}: ${why === null ? 'done' : `failed: ${oneLine(why)}`}`,
        ...(output === '' ? [] : safeText(output.trimEnd()).split('\n')).map((line) => `  ${line}`),
      ]),
    );
  return ran.some(({ why }) => why !== null) ? 1 : 0;
}

function noOccasion(given: string | undefined): string {
  if (given === undefined) return 'Name an occasion: sm on test waiting.';
  const guess = nearest(given, occasions);
  return `No occasion "${given}".${guess === undefined ? '' : ` Did you mean ${guess}?`}`;
}

const nothingRuns = (occasion: Occasion, session: string | undefined): string =>
  `Your configuration runs nothing on "${occasion}"${session ? ` of ${session}` : ''}. See: sm on`;
