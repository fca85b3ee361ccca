import { sessionPath } from '../client.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { ownSessionId } from '../io.ts';
import { given } from '../limits.ts';
import { nameAndId } from '../session-text.ts';

export default defineCommand({
  usage: 'SESSION "/COMMAND"',
  about:
    'Gives a session a command of the agent\'s own, such as "/model opus", when it is idle. It goes alone, and is no\n' +
    'message: nobody is told of its end. To clear a session: sm clear SESSION',
  options: {},
  arity: [2, 2],
  async run({ args: [ref = '', command = ''], io, client }) {
    if (!/^\/\S/.test(command) || /[\r\n]/.test(command))
      throw new Failure('A command begins with a slash and is one line: sm slash SESSION "/command"');
    given('command', command);
    const session = await presentSession(client, ref);
    await client.send('POST', sessionPath(session.id, '/slash'), {
      command,
      requester_session_id: ownSessionId(io),
    });
    io.out(`Typed ${command} into ${nameAndId(session)}\n`);
  },
});
