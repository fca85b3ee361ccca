import { amountIn, howAmountsAreWritten } from '../../protocol/amount.ts';
import type { BudgetView, SessionView } from '../../protocol/session.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { findSession, presentSession } from '../find-session.ts';
import { ownSessionId, printLines } from '../io.ts';
import { type BudgetRow, budgetLines, budgetText } from '../text/budget.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';

export default defineCommand({
  usage: '[SESSION] [AMOUNT… | off] [--family] [--json]',
  about:
    'Shows the budgets of all sessions, or of one; with an amount, sets it; with off, removes it. AMOUNT is money (5usd),\n' +
    'tokens (500k, 2M), or both. At 80 % the parent of the session is told, or you, if it has none. When it is used up,\n' +
    'nothing more is typed into the session until you raise or remove it; the turn that runs is not cut.\n' +
    'With --family, it is for the session and all of its descendants together.',
  options: {
    family: { help: 'the budget of the session and all of its descendants' },
    json: jsonOption,
  },
  arity: [0, 3],
  async run({ args: [ref, ...words], options, io, client }) {
    if (ref === undefined) {
      const { sessions } = await client.ask('GET /sessions');
      const rows = sessions.flatMap(rowsOf).filter(({ family }) => family || !options.family);
      if (options.json) return io.out(safeJson({ budgets: rows }));
      if (rows.length === 0) return io.out('No session has a budget. Set one with: sm budget SESSION 5usd\n');
      return printLines(io, budgetLines(rows, io.columns));
    }
    if (words.length === 0) {
      const session = await findSession(io, client, ref);
      if (options.json) return io.out(safeJson({ session_id: session.id, budget: session.budget }));
      const rows = rowsOf(session);
      printLines(io, [
        ...(rows.length > 0 ? budgetLines(rows, io.columns) : [`${nameAndId(session)} has no budget.`]),
        ...holdOf(session),
      ]);
      return;
    }
    const amount = words[0] === 'off' && words.length === 1 ? null : amountIn(words);
    if (amount === null && words[0] !== 'off')
      throw new Failure(`A budget is ${howAmountsAreWritten}, not "${oneLine(words.join(' '))}".`);
    const before = await presentSession(client, ref);
    const session = await client.ask('PUT /sessions/{ref}/budget', {
      ref: before.id,
      body: {
        family: options.family,
        usd: amount?.usd ?? null,
        tokens: amount?.tokens ?? null,
        requester_session_id: ownSessionId(io),
      },
    });
    if (options.json) return io.out(safeJson({ session_id: session.id, budget: session.budget }));
    const which = options.family ? 'family' : 'own';
    const title = `${options.family ? 'Family budget' : 'Budget'} of ${nameAndId(session)}`;
    printLines(io, [
      `${title}: ${changed(before.budget?.[which], session.budget?.[which])}`,
      ...holdOf(session),
    ]);
  },
});

type One = NonNullable<BudgetView>['own'];

function changed(before: One | undefined, now: One | undefined): string {
  const was = before ? ` (it was ${budgetText(before)})` : '';
  if (!now) return `none${was}.`;
  const used = now.used_percentage === null ? '' : `, ${now.used_percentage}% used`;
  return `${budgetText(now)}${used}${was}.`;
}

const holdOf = ({ budget }: SessionView): string[] =>
  budget?.hold ? [`It is held: ${oneLine(budget.hold.why)}.`] : [];

function rowsOf({ id, display_name: name, budget }: SessionView): BudgetRow[] {
  const row = (family: boolean, one: One | undefined): BudgetRow[] =>
    one ? [{ session_id: id, session_name: name, family, ...one }] : [];
  return [...row(false, budget?.own), ...row(true, budget?.family)];
}
