import { defineCommand } from '../command.ts';
import { nameOf } from '../find-session.ts';
import { forEach } from '../for-each.ts';
import { ownSessionId } from '../io.ts';

export default defineCommand({
  usage: 'MESSAGE…',
  about: 'Withdraws messages that still wait. A message that was already typed cannot be withdrawn.',
  options: {},
  run: ({ args, io, client }) =>
    forEach(args, io, async (id) => {
      const message = await client.ask('POST /messages/{id}/withdraw', {
        id,
        body: { requester_session_id: ownSessionId(io) },
      });
      io.out(`Withdrew #${message.id} to ${await nameOf(client, message.session_id)}\n`);
    }),
});
