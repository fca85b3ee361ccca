import { defineCommand } from '../command.ts';
import { requireSelf } from '../io.ts';
import { nameAndId } from '../text/session.ts';
import { given } from '../text-argument.ts';

export default defineCommand({
  usage: '[SESSION] NAME',
  about: 'Names a session (default: yourself). A session may also name its children; a person any session.',
  options: {},
  async run({ args, io, client }) {
    const name = given('name', args.at(-1) as string);
    const ref =
      args.length === 2 ? (args[0] as string) : requireSelf(io, 'Name the session: sm name SESSION NAME');
    const session = await client.ask('PATCH /sessions/{ref}', { ref, body: { friendly_name: name } });
    io.out(`Named ${nameAndId(session)}\n`);
  },
});
