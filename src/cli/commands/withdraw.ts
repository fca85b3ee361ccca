import type { MessageView } from '../../protocol/message.ts';
import { messagePath } from '../client.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { safeText } from '../format/text.ts';
import { ownSessionId } from '../io.ts';
import { nameOf } from '../session-name.ts';

export default defineCommand({
  usage: 'MESSAGE…',
  about: 'Takes messages back that nobody has yet. What was typed already cannot be taken back.',
  options: {},
  arity: [1, Number.POSITIVE_INFINITY],
  async run({ args, io, client }) {
    let exitCode = 0;
    for (const id of args) {
      try {
        const message = await client.send<MessageView>('POST', messagePath(id, '/withdraw'), {
          requester_session_id: ownSessionId(io),
        });
        io.out(`Withdrawn: #${message.id} to ${await nameOf(client, message.session_id)}\n`);
      } catch (error) {
        // One refusal must not leave the others waiting.
        if (!(error instanceof Failure) || error.exitCode === 2) throw error;
        io.err(`Error: ${safeText(error.message)}\n`);
        exitCode = 1;
      }
    }
    return exitCode;
  },
});
