import type { FinishPlanView } from '../../protocol/worktree.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { findSession } from '../find-session.ts';
import { ownSessionId } from '../io.ts';
import { directory } from '../text/directory.ts';
import { oneLine, safeJson, safeText } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { agree, outcome } from '../worktrees/remove.ts';

const ways = ['merge', 'rebase', 'squash'] as const;

export default defineCommand({
  usage: 'SESSION [--merge|--rebase|--squash|--pr-text] [--into BRANCH] [--yes] [--json]',
  about:
    'Brings the committed work of a session with a worktree into the branch that it began from. Shows what would happen and\n' +
    'asks first. If there are conflicts, nothing is changed. --pr-text only prints a text for a pull request.',
  options: {
    merge: { help: 'with a merge commit, or by moving the branch forward where that does (the default)' },
    rebase: { help: 'commit by commit, on top of the branch' },
    squash: { help: 'as one commit' },
    'pr-text': { help: 'print title and text for a pull request, and change nothing' },
    into: { value: 'BRANCH', help: 'another branch than the one it began from' },
    yes: { help: 'do not ask' },
    json: { ...jsonOption, help: 'print what would happen as JSON, and change nothing' },
  },
  async run({ args: [ref = ''], options, io, client }) {
    const chosen = [...ways, 'pr-text' as const].filter((way) => options[way]);
    if (chosen.length > 1)
      throw new Failure(`Choose only one of ${chosen.map((way) => `--${way}`).join(' and ')}.`);
    const session = await findSession(io, client, ref);
    const into = options.into;
    const plan = await client.ask('GET /sessions/{ref}/worktree/finish', {
      ref: session.id,
      query: { ...(into !== undefined && { into }) },
    });
    if (options.json) return io.out(safeJson(plan));
    if (plan.commits.length === 0)
      throw new Failure(`Nothing to do: ${oneLine(plan.into)} has every commit of ${oneLine(plan.branch)}.`);
    if (chosen[0] === 'pr-text') return io.out(pullRequest(plan));
    const how = chosen[0] ?? 'merge';
    io.out(planText(plan, how));
    if (plan.conflicts.length > 0 && how !== 'rebase') throw new Failure(conflicts(plan, session.id));
    if (!options.yes) await agree(io, 'Do it?', `sm finish ${session.id} --${how} --yes`);
    const { tip, target } = plan;
    const { after } = await client.ask('POST /sessions/{ref}/worktree/finish', {
      ref: session.id,
      body: { how, into: plan.into, tip, target, requester_session_id: ownSessionId(io) },
    });
    const end = await outcome(client, session.id, after, ['finished', 'not-finished']);
    if (end.step === 'not-finished')
      throw new Failure(`Not finished: ${oneLine(String(end.why))} ${resolving(plan, session.id)}`);
    io.out(
      `Done: ${oneLine(plan.branch)} is in ${oneLine(plan.into)} (${String(end.commit).slice(0, 9)}).\n`,
    );
    const kill = session.ended ? '' : `sm kill ${session.id}; `;
    io.out(
      `If ${nameAndId(session)} is done, remove its worktree with: ${kill}sm worktrees remove ${session.id}\n`,
    );
  },
});

const words = { merge: 'merged into', rebase: 'rebased onto', squash: 'squashed into one commit of' };

function planText(
  { branch, into, commits, stat, checkout }: FinishPlanView,
  how: keyof typeof words,
): string {
  const count = `${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`;
  const where = checkout === null ? '' : `, checked out in ${directory(checkout)}`;
  const list = [...commits, ...stat.split('\n')].map((line) => `  ${safeText(line)}`).join('\n');
  return `${count} of ${oneLine(branch)} will be ${words[how]} ${oneLine(into)}${where}:\n${list}\n`;
}

const conflicts = (plan: FinishPlanView, id: string): string =>
  `These files conflict with ${oneLine(plan.into)}: ${plan.conflicts.map(oneLine).join(', ')}. Nothing was changed. ${resolving(plan, id)}`;

const resolving = ({ into }: FinishPlanView, id: string): string =>
  `For conflicts, let the agent resolve them and finish again: sm send ${id} "Merge ${oneLine(into)} into your branch, resolve the conflicts and commit."`;

/** The first line is the title. */
function pullRequest({ branch, commits, stat }: FinishPlanView): string {
  const subjects = commits.map((line) => safeText(line.slice(line.indexOf(' ') + 1)));
  const title =
    subjects.length === 1 ? subjects[0] : oneLine(branch.replace(/^sm\//, '').replaceAll(/[-_/]+/g, ' '));
  const list = subjects.map((each) => `- ${each}`).join('\n');
  return `${title}\n\n${list}\n\n${safeText(stat)}\n`;
}
