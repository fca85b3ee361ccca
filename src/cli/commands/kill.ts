import { chosen, yesOption } from '../choose-sessions.ts';
import { defineCommand } from '../command.ts';
import { presentSession } from '../find-session.ts';
import { forEach } from '../for-each.ts';
import { ownSessionId } from '../io.ts';
import { nameAndId } from '../text/session.ts';

export default defineCommand({
  usage: 'SESSION… [--yes]',
  about: 'Ends sessions. A person may end any session; a session only its children.',
  options: { yes: yesOption },
  async run({ args, options: { yes }, io, client }) {
    const refs = await chosen({ io, client }, args, { verb: 'kill', yes });
    return forEach(refs, io, async (ref) => {
      const session = await presentSession(client, ref);
      await client.ask('POST /sessions/{ref}/kill', {
        ref: session.id,
        body: { requester_session_id: ownSessionId(io) },
      });
      io.out(`Killed ${nameAndId(session)}. Restore it with: sm restore ${session.id}\n`);
    });
  },
});
