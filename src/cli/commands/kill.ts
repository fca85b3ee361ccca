import type { SessionView } from '../../protocol/session.ts';
import { type Client, sessionPath } from '../client.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { safeText } from '../format/text.ts';
import { type Io, ownSessionId } from '../io.ts';
import { nameAndId } from '../session-text.ts';

export default defineCommand({
  usage: 'SESSION…',
  about: 'Ends sessions. A person may end any; a session may end those that it has started.',
  options: {},
  arity: [1, Number.POSITIVE_INFINITY],
  async run({ args, io, client }) {
    let exitCode = 0;
    for (const ref of args) {
      try {
        await kill(ref, io, client);
      } catch (error) {
        // One refusal must not keep the others alive.
        if (!(error instanceof Failure) || error.exitCode === 2) throw error;
        io.err(`Error: ${safeText(error.message)}\n`);
        exitCode = 1;
      }
    }
    return exitCode;
  },
});

async function kill(ref: string, io: Io, client: Client): Promise<void> {
  const session = await client.get<SessionView>(sessionPath(ref));
  await client.send('POST', sessionPath(session.id, '/kill'), { requester_session_id: ownSessionId(io) });
  io.out(`Killed ${nameAndId(session)}. Bring it back with: sm restore ${session.id}\n`);
}
