import { defineCommand } from '../command.ts';
import { requireSelf } from '../io.ts';
import { oneLine } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { given } from '../text-argument.ts';

export default defineCommand({
  usage: '[SESSION] "TASK"',
  about:
    'Sets the task of a session (default: yourself): what it works on. A session may also set the task of its\n' +
    'children; a person any.',
  options: {},
  async run({ args, io, client }) {
    const task = given('task', args.at(-1) as string);
    const ref =
      args.length === 2 ? (args[0] as string) : requireSelf(io, 'Name the session: sm task SESSION "TASK"');
    const session = await client.ask('PUT /sessions/{ref}/task', { ref, body: { task } });
    io.out(`Task of ${nameAndId(session)}: ${oneLine(session.current_task ?? '(none)')}\n`);
  },
});
