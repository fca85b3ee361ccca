import type { SlashAnswer } from '../answers.ts';
import { sessionPath } from '../client.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { ownSessionId } from '../io.ts';
import { given } from '../limits.ts';
import { reason } from '../reason.ts';
import { nameAndId } from '../session-text.ts';

export default defineCommand({
  usage: 'SESSION "/COMMAND"',
  about:
    'Gives a session a command of the agent\'s own, such as "/model opus". It goes alone, when the session is idle and the\n' +
    'commands before it are done; sm clear and sm kill end those that wait. It is no message: nobody is told of its end.\n' +
    'To clear a session: sm clear SESSION',
  options: {},
  arity: [2, 2],
  async run({ args: [ref = '', command = ''], io, client }) {
    if (!/^\/\S/.test(command) || /[\r\n]/.test(command))
      throw new Failure('A command begins with a slash and is one line: sm slash SESSION "/command"');
    given('command', command);
    const session = await presentSession(client, ref);
    const { status, why } = await client.send<SlashAnswer>('POST', sessionPath(session.id, '/slash'), {
      command,
      requester_session_id: ownSessionId(io),
    });
    if (status === 'typed') return io.out(`Typed ${command} into ${nameAndId(session)}\n`);
    io.out(`${command} waits for ${nameAndId(session)}: ${reason(why)}. See: sm queue ${session.id}\n`);
  },
});
