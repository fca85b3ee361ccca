import { defineCommand, type Invocation, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { printLines } from '../io.ts';
import { commandFor, ruleLine, ruleTable } from '../text/rule.ts';
import { safeJson } from '../text/safe.ts';

type Run = Invocation<{
  readonly session: string | undefined;
  readonly profile: string | undefined;
  readonly reason: string | undefined;
  readonly yes: boolean;
  readonly json: boolean;
}>;

const actions: Readonly<Record<string, (run: Run, args: readonly string[]) => Promise<void>>> = {
  allow: (run, args) => write(run, 'allow', args),
  deny: (run, args) => write(run, 'deny', args),
  remove,
  test: tryOut,
};

export default defineCommand({
  usage: '[allow|deny PATTERN | remove ID | test [SESSION] TOOL INPUT] [options]',
  about:
    'Lists the rules for permissions; allow and deny write one, remove takes one back. What a rule allows or denies,\n' +
    'nobody is asked. Denials win. PATTERN is a tool and what its input is like: Bash(git status *), Edit(src/**).\n' +
    'test says what would happen to a call, and why: sm policy test login Bash "git status; ls". The rules in your\n' +
    'configuration (policies:) are listed too; change them there. Only a person writes rules.',
  options: {
    session: { value: 'S', help: "for this session, or for several: 'worker-*', tag:night" },
    profile: { value: 'P', help: 'for the sessions of this profile' },
    reason: { value: 'TEXT', help: 'what the agent is told when it is denied' },
    yes: { help: 'write it, though it allows everything' },
    json: jsonOption,
  },
  arity: [0, 4],
  async run(invocation) {
    const [action, ...args] = invocation.args;
    if (action === undefined) return list(invocation);
    const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (!act)
      throw new Failure(
        `Unknown action "${action}". Use one of: ${Object.keys(actions).join(', ')}; or none, to list.`,
      );
    return act(invocation, args);
  },
});

async function list({ options, io, client }: Run): Promise<void> {
  const { policies } = await client.ask('GET /policies');
  if (options.json) return io.out(safeJson({ policies }));
  if (policies.length === 0)
    return io.out(
      "No rules: agents ask as they always do. Write one with: sm policy allow 'Bash(npm test)'\n",
    );
  printLines(io, ruleTable(policies, io.columns));
}

async function write(
  { options, io, client }: Run,
  decision: 'allow' | 'deny',
  args: readonly string[],
): Promise<void> {
  const [pattern, ...more] = args;
  if (pattern === undefined || more.length > 0)
    throw new Failure(`Give one pattern, in quotes: sm policy ${decision} 'Bash(npm test)'`);
  const rule = await client.ask('POST /policies', {
    body: {
      decision,
      pattern,
      session: options.session,
      profile: options.profile,
      reason: options.reason,
      yes: options.yes,
    },
  });
  if (options.json) return io.out(safeJson(rule));
  io.out(`Rule ${ruleLine(rule)}\nTake it back with: sm policy remove ${rule.id}\n`);
}

async function remove({ options, io, client }: Run, [id, ...more]: readonly string[]): Promise<void> {
  if (id === undefined || more.length > 0)
    throw new Failure('Name one rule: sm policy remove ID. See: sm policy');
  const rule = await client.ask('DELETE /policies/{id}', { id });
  if (options.json) return io.out(safeJson(rule));
  io.out(`Removed rule ${ruleLine(rule)}\nWrite it again with: ${commandFor(rule)}\n`);
}

async function tryOut({ options, io, client }: Run, args: readonly string[]): Promise<void> {
  const [session, tool, input] = args.length === 3 ? args : [options.session, ...args];
  if (tool === undefined || input === undefined)
    throw new Failure('Name the tool and its input: sm policy test [SESSION] Bash "git status"');
  if (session !== undefined && options.profile !== undefined)
    throw new Failure('Name a session or a profile, not both.');
  const { profile } = options;
  const answer = await client.ask('POST /policies/test', {
    body: { session, profile, directory: io.cwd, tool, input },
  });
  if (options.json) return io.out(safeJson(answer));
  // An older daemon knows of no others.
  const { decision, rule, also = [], missed } = answer;
  const said = { allow: 'Allowed', deny: 'Denied' };
  const verdict =
    decision === 'ask' || !rule
      ? 'Asked: no rule covers it.'
      : [rule, ...also].map((each) => `${said[decision]} by rule ${ruleLine(each)}`).join('\n');
  const others = missed.map((each) => `  not covered by rule ${ruleLine(each.rule)}: ${each.why}`);
  printLines(io, [verdict, ...others]);
}
