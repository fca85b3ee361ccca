import type { ContextView } from '../../protocol/context.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { findSession } from '../find-session.ts';
import { printLines, requireSelf } from '../io.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { actor } from '../text/session.ts';
import { type Cell, tableLines } from '../text/table.ts';
import { clock } from '../text/time.ts';
import { cut } from '../text/width.ts';

const heading = ['#', 'BEGAN', 'BY', 'ENDED', 'BY', 'PEAK', 'TOKENS', 'COST', 'COMPACTED', 'CONVERSATION'];

export default defineCommand({
  usage: '[SESSION] [--json]',
  about:
    'Lists the contexts of a session (default: yourself): how each began and ended, how full it got, and the cost\nas the agent reports it (some agents keep counting across contexts).',
  options: { json: jsonOption },
  async run({ args: [ref], options, io, client }) {
    const { id } = await findSession(io, client, ref ?? requireSelf(io, 'Name one: sm contexts SESSION'));
    const answer = await client.ask('GET /sessions/{ref}/contexts', { ref: id });
    if (options.json) return io.out(safeJson(answer));
    const rows = answer.contexts.map((context) => row(context, io.now()));
    if (rows.length === 0) return io.out('No contexts.\n');
    printLines(io, tableLines(heading, rows, io.columns));
    const [first] = answer.contexts;
    if (first && first.number > 1) io.out(`Contexts before ${first.number} are not shown.\n`);
  },
});

function row(context: ContextView, now: number): Cell[] {
  const { peak_percentage: peak, peak_tokens: tokens, cost_usd: cost, compactions } = context;
  return [
    String(context.number),
    context.began_at === null ? '?' : clock(context.began_at, now),
    context.began_by ?? '?',
    context.ended_at === null ? (context.present ? 'now' : '?') : clock(context.ended_at, now),
    howItEnded(context),
    peak === null ? '' : `${Math.round(peak)}%`,
    tokens === null ? '' : `${Math.round(tokens / 1_000)}k`,
    cost === null ? '' : `$${cost.toFixed(2)}`,
    compactions === 0 ? '' : `${compactions}×`,
    context.provider_id ?? '',
  ].map((text) => ({ text: oneLine(text) }));
}

/** `clear (the user)`, `exited (exit code 1)`, `handoff` */
function howItEnded({ ended_by: how, ended_by_actor: by, ended_why: why }: ContextView): string {
  if (how === null) return '';
  const more = why ?? (by === null || how === 'handoff' ? null : actor(by));
  // Why a start has failed may take many words.
  return more === null ? how : cut(`${how} (${oneLine(more)})`, 60);
}
