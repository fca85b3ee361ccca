import type { ProfileView } from '../../protocol/profile.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { printLines } from '../io.ts';
import { budgetText } from '../text/budget.ts';
import { coloursFor } from '../text/colours.ts';
import { directory } from '../text/directory.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { tableLines } from '../text/table.ts';

export default defineCommand({
  usage: '[--json]',
  about:
    'Lists the profiles of the configuration (profiles:), and what is wrong with them. Start a session with one:\n' +
    'sm spawn "PROMPT" --profile PROFILE. Of variables only the names are shown.',
  options: { json: jsonOption },
  async run({ options, io, client }) {
    const answer = await client.ask('GET /profiles');
    if (options.json) return io.out(safeJson(answer));
    const { profiles } = answer;
    if (profiles.length === 0)
      return io.out(
        'No profiles. Write them under profiles: in the configuration (see docs/guide/options.md).\n',
      );
    const colours = coloursFor(io);
    const rows = profiles.map((each) =>
      [each.name, each.agent ?? 'any', each.model ?? '', each.permission_mode ?? '', more(each)].map(
        (text) => ({
          text: oneLine(text),
        }),
      ),
    );
    const [head = '', ...lines] = tableLines(
      ['PROFILE', 'AGENT', 'MODEL', 'PERMISSIONS', 'MORE'],
      rows,
      io.columns,
    );
    const faults = profiles.filter(({ fault }) => fault !== null);
    printLines(io, [
      colours.dim(head),
      ...lines,
      ...faults.map(({ name, fault }) => colours.red(`${name} cannot be used: ${oneLine(fault ?? '')}`)),
    ]);
  },
});

function more({
  add_dirs,
  mcp_configs,
  variables,
  args,
  account,
  worktree,
  tags,
  ...has
}: ProfileView): string {
  return [
    ...(worktree ? ['worktree'] : []),
    ...(has.sandbox ? ['--sandbox'] : []),
    // An older daemon knows of none.
    ...(tags ?? []).map((tag) => `--tag ${tag}`),
    ...(has.budget ? [`budget ${budgetText(has.budget)}`] : []),
    ...(has.family_budget ? [`family budget ${budgetText(has.family_budget)}`] : []),
    ...(account === null ? [] : [`account ${directory(account)}`]),
    ...add_dirs.map((dir) => `--add-dir ${directory(dir)}`),
    ...mcp_configs.map((file) => `--mcp-config ${directory(file)}`),
    ...variables.map((name) => `--env ${name}`),
    ...(args.length > 0 ? ['--', ...args] : []),
  ].join(' ');
}
