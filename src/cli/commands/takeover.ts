import type { SessionView } from '../../protocol/session.ts';
import { openTerminal } from '../attach.ts';
import { defineCommand, jsonOption } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { newestEvent } from '../events.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { environment, type Io, ownSessionId } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { untilStarted } from '../wait-for-start.ts';

export default defineCommand({
  usage: 'SESSION [--back] [--now] [--no-attach] [--json]',
  about:
    'Moves a session without a terminal into one, with its conversation, and opens it; --back lets it go on without one.\n' +
    'It must be idle: --now interrupts its turn first. Its agent is started anew, so what it runs in the background ends.\n' +
    'For claude-app, and claude with --back. A person may take over any session; a session only its children.',
  options: {
    back: { help: 'out of its terminal, and on without one' },
    now: { help: 'interrupt the turn that runs' },
    'no-attach': { help: 'do not open the terminal' },
    json: jsonOption,
  },
  arity: [1, 1],
  async run({ args: [ref = ''], options, io, client }) {
    const found = await presentSession(client, ref);
    const { id } = found;
    await makeIdle(io, client, found, options.now);
    const after = await newestEvent(client, id);
    const body = { terminal: !options.back, env: environment(io), requester_session_id: ownSessionId(io) };
    await client.ask('POST /sessions/{ref}/takeover', { ref: id, body });
    const called = nameAndId(found);
    const more = await untilStarted(io, client, { id, called, after });
    const session = await client.ask('GET /sessions/{ref}', { ref: id });
    if (options.json) {
      io.out(safeJson(session));
      return 0;
    }
    if (options.back) {
      io.out(`${called} goes on without a terminal.\n${more}`);
      return 0;
    }
    const opens = !options['no-attach'] && !more && io.inputIsTerminal && io.outputIsTerminal;
    if (opens && ownSessionId(io) === undefined) return openTerminal(io, client, session);
    io.out(`${called} is in a terminal now.\n${more || `Attach with: sm attach ${id}\n`}`);
    return 0;
  },
});

async function makeIdle(io: Io, client: Client, session: SessionView, now: boolean): Promise<void> {
  if (session.phase !== 'working') return;
  const { id } = session;
  if (!now)
    throw new Failure(
      `${nameAndId(session)} is working. Wait until it is idle: sm wait ${id} 600. Or interrupt it: sm takeover ${id} --now`,
    );
  const body = { requester_session_id: ownSessionId(io) };
  await client.ask('POST /sessions/{ref}/interrupt', { ref: id, body });
}
