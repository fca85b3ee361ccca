import type { CurveView } from '../../protocol/context.ts';
import { numberWithin } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { findSession } from '../find-session.ts';
import { type Io, printLines, requireSelf } from '../io.ts';
import { coloursFor } from '../text/colours.ts';
import { curveLines, forecastText } from '../text/context.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { clock } from '../text/time.ts';
import { cut } from '../text/width.ts';

/** Where there is no terminal to be as wide as. */
const usualWidth = 80;

export default defineCommand({
  usage: '[SESSION] [--hours N] [--json]',
  about:
    'Shows how full the context of a session (default: yourself) is and was, the marks at which its agent is\ntold, and when it will reach the critical mark.',
  options: { hours: { value: 'N', help: 'only the last N hours' }, json: jsonOption },
  async run({ args: [ref], options, io, client }) {
    const hours = numberWithin('--hours', options.hours, [1, 24 * 365]);
    const { id } = await findSession(io, client, ref ?? requireSelf(io, 'Name one: sm context SESSION'));
    const since = hours === undefined ? undefined : new Date(io.now() - hours * 3_600_000).toISOString();
    const view = await client.ask('GET /sessions/{ref}/context', { ref: id, query: { since } });
    if (options.json) return io.out(safeJson(view));
    const width = io.columns ?? usualWidth;
    const colours = coloursFor(io);
    const curve = curveLines(view, width, colours);
    printLines(io, [
      colours.bold(cut(header(view), width)),
      ...(curve.length > 0 ? curve : [noSamples(view, hours)]),
      ...notes(view, io),
    ]);
    io.out(`${forecastText(view)}\n`);
  },
});

function header(view: CurveView): string {
  const { used_percentage: used, tokens, window_size: size, cost_usd: cost } = view;
  const full = used === null ? 'usage unknown' : `${Math.round(used)}% full`;
  const facts = [
    `context ${view.context}`,
    full,
    tokens === null || used === null
      ? ''
      : `${thousands(tokens)}${size === null ? '' : ` of ${thousands(size)}`} tokens`,
    oneLine(view.model ?? ''),
    cost === null ? '' : `$${cost.toFixed(2)}`,
  ];
  return `${oneLine(view.name)} (${view.session_id}): ${facts.filter(Boolean).join(', ')}`;
}

const thousands = (tokens: number): string => `${Math.round(tokens / 1_000)}k`;

const noSamples = ({ phase }: CurveView, hours: number | undefined): string =>
  hours !== undefined
    ? `No samples in the last ${hours} h. To see all, leave out --hours.`
    : phase === 'exited' || phase === 'lost'
      ? 'No samples.'
      : "No samples yet. The first comes with the agent's first answer.";

function notes({ more, marks, samples, session_id: id }: CurveView, io: Io): string[] {
  const [first] = samples;
  return [
    ...(more && first ? [`Older samples exist, from before ${clock(first.at, io.now())}.`] : []),
    ...(marks.monitored
      ? []
      : [`The context monitor is off. Turn it on with: sm context-monitor enable ${id}`]),
  ];
}
