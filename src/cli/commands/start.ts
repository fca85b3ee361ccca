// `sm claude`, `sm codex`, …: the word is the provider.
import { resolve } from 'node:path';
import { insteadOfTerminal, openTerminal } from '../attach.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { environment, ownSessionId } from '../io.ts';
import { sessionOptionSpecs, sessionOptions, sessionUsage } from '../session-options.ts';
import { safeJson, safeText } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { given } from '../text-argument.ts';
import { untilLaunched, untilStarted } from '../wait-for-start.ts';
import { worktreeBody, worktreeOptions, worktreeUsage } from '../worktrees/options.ts';

export default defineCommand({
  usage: `[DIR] [--name NAME] [--model MODEL] ${worktreeUsage} ${sessionUsage} [--no-attach] [--json] [-- ARGS…]`,
  about:
    'Starts a session in DIR (default: here) and opens its terminal. Inside a session, or without a terminal, it prints\n' +
    'how to attach instead. Follow an agent that has no terminal with sm tail. ARGS go to the agent as they are.',
  options: {
    name: { value: 'NAME', help: 'name of the session' },
    model: { value: 'MODEL', help: 'model to use' },
    ...worktreeOptions,
    ...sessionOptionSpecs,
    'no-attach': { help: 'do not open the terminal' },
    json: jsonOption,
  },
  handsOn: true,
  async run({ word, args, options, rest, io, client }) {
    const self = ownSessionId(io);
    const working_dir = resolve(io.cwd, args[0] ?? '.');
    const worktree = await worktreeBody(io, client, working_dir, options);
    const session = await client.ask('POST /sessions', {
      body: {
        provider: word,
        working_dir,
        name: given('name', options.name),
        model: given('model', options.model),
        options: sessionOptions(io, options, rest),
        ...(options.tag.length > 0 && { tags: [...options.tag] }),
        parent_session_id: self,
        env: environment(io),
        ...worktree,
      },
    });
    const started = `Started ${nameAndId(session)} in ${safeText(session.working_dir)}\n`;
    const launched = { id: session.id, called: nameAndId(session) };
    const staysHere = options['no-attach'] || self !== undefined || !io.outputIsTerminal;
    if (options.json || staysHere || session.tmux_session === null) {
      const more = await untilStarted(io, client, launched);
      if (options.json) io.out(safeJson(session));
      else if (session.tmux_session === null) io.out(`${started}${more}${insteadOfTerminal(session)}\n`);
      else io.out(`${started}${more || `Attach with: sm attach ${session.id}\n`}`);
      return 0;
    }
    // Whoever attaches sees for himself how it starts.
    await untilLaunched(io, client, launched);
    io.out(started);
    return openTerminal(io, client, session);
  },
});
