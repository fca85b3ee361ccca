import type { MessageView } from '../../protocol/message.ts';
import { defineCommand } from '../command.ts';
import { messagePath } from '../daemon/client.ts';
import { forEach } from '../each.ts';
import { nameOf } from '../find-session.ts';
import { ownSessionId } from '../io.ts';

export default defineCommand({
  usage: 'MESSAGE…',
  about: 'Withdraws messages that still wait. A message that was already typed cannot be withdrawn.',
  options: {},
  arity: [1, Number.POSITIVE_INFINITY],
  run: ({ args, io, client }) =>
    forEach(args, io, async (id) => {
      const message = await client.send<MessageView>('POST', messagePath(id, '/withdraw'), {
        requester_session_id: ownSessionId(io),
      });
      io.out(`Withdrew #${message.id} to ${await nameOf(client, message.session_id)}\n`);
    }),
});
