// `sm claude`, `sm codex`, …: the word is the provider.
import { resolve } from 'node:path';
import type { SessionView } from '../../protocol/session.ts';
import { insteadOfTerminal, openTerminal } from '../attach.ts';
import type { Client } from '../client.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { followEvents } from '../events.ts';
import { Failure } from '../failure.ts';
import { safeJson, safeText } from '../format/text.ts';
import { ownSessionId } from '../io.ts';
import { given } from '../limits.ts';
import { nameAndId } from '../session-text.ts';

export default defineCommand({
  usage: '[DIR] [--name NAME] [--model MODEL] [--no-attach] [--json]',
  about:
    'Starts a session in DIR (here, if none is given) and opens its terminal. Inside a session, or where there is no\n' +
    'terminal, it says how to attach instead; an agent that has no terminal is followed with sm tail.',
  options: {
    name: { value: 'NAME', help: 'what to call it' },
    model: { value: 'MODEL', help: 'the model it is to use' },
    'no-attach': { help: 'leave it in the background' },
    json: jsonOption,
  },
  arity: [0, 1],
  async run({ word, args, options, io, client }) {
    const self = ownSessionId(io);
    const session = await client.send<SessionView>('POST', '/sessions', {
      provider: word,
      working_dir: resolve(io.cwd, args[0] ?? '.'),
      name: given('name', options.name),
      model: given('model', options.model),
      parent_session_id: self,
      env: io.env,
    });
    if (options.json) {
      io.out(safeJson(session));
      return 0;
    }
    io.out(`Started ${nameAndId(session)} in ${safeText(session.working_dir)}\n`);
    if (session.tmux_session === null) {
      await untilLaunched(client, session.id);
      io.out(`${insteadOfTerminal(session)}\n`);
      return 0;
    }
    if (options['no-attach'] || self !== undefined || !io.outputIsTerminal) {
      io.out(`Attach with: sm attach ${session.id}\n`);
      return 0;
    }
    await untilLaunched(client, session.id);
    return openTerminal(io, session);
  },
});

/** A session is on record before its terminal is there. */
async function untilLaunched(client: Client, id: string): Promise<void> {
  for await (const events of followEvents(client, id, 0)) {
    for (const event of events) {
      if (event.type === 'session-launched') return;
      if (event.type === 'session-exited' || event.type === 'session-lost') {
        throw new Failure(`It ended at once: ${event.reason}`);
      }
    }
  }
}
