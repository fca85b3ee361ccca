import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { ownSessionId } from '../io.ts';
import { waitsForText } from '../text/message.ts';
import { nameAndId } from '../text/session.ts';
import { given } from '../text-argument.ts';

export default defineCommand({
  usage: 'SESSION "/COMMAND"',
  about:
    'Runs one of the agent\'s own commands, such as "/model opus", when the session is idle. Waiting commands go one at a\n' +
    'time; sm clear and sm kill drop them. A command is not a message: nobody gets a notice when it ends. To clear a\n' +
    'session use sm clear SESSION.',
  options: {},
  async run({ args: [ref = '', command = ''], io, client }) {
    if (!/^\/\S/.test(command) || /[\r\n]/.test(command))
      throw new Failure('A command starts with a slash and has one line: sm slash SESSION "/command"');
    given('command', command);
    const session = await presentSession(client, ref);
    const { status, waits_for } = await client.ask('POST /sessions/{ref}/slash', {
      ref: session.id,
      body: { command, requester_session_id: ownSessionId(io) },
    });
    if (status === 'typed') return io.out(`Typed ${command} into ${nameAndId(session)}\n`);
    io.out(
      `${command} waits for ${nameAndId(session)}: ${waitsForText(waits_for)}. See: sm queue ${session.id}\n`,
    );
  },
});
