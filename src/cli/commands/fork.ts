import { defineCommand, jsonOption } from '../command.ts';
import { environment, ownSessionId, requireSelf } from '../io.ts';
import { directory } from '../text/directory.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { given } from '../text-argument.ts';
import { untilStarted } from '../wait-for-start.ts';

export default defineCommand({
  usage: '[SESSION] [--name NAME] [--json]',
  about:
    'Starts another session that begins with a copy of the conversation, as far as it has been said. It works in the same\n' +
    'directory, with the same options and variables. The original goes on undisturbed, also while it works. Inside a session,\n' +
    'SESSION is that session unless you name one of its children, and the copy is its child.',
  options: {
    name: { value: 'NAME', help: 'name of the copy' },
    json: jsonOption,
  },
  arity: [0, 1],
  async run({ args: [named], options, io, client }) {
    const ref = named ?? requireSelf(io, 'Name the session: sm fork SESSION');
    const original = await client.ask('GET /sessions/{ref}', { ref });
    const copy = await client.ask('POST /sessions/{ref}/fork', {
      ref: original.id,
      body: {
        name: given('name', options.name),
        env: environment(io),
        requester_session_id: ownSessionId(io),
      },
    });
    const called = nameAndId(copy);
    const more = await untilStarted(io, client, { id: copy.id, called });
    if (options.json) return io.out(safeJson(copy));
    const { context } = original;
    io.out(
      `Forked ${nameAndId(original)}, context ${context.number}: ${called} in ${directory(copy.working_dir)}\n`,
    );
    io.out(more || (copy.tmux_session ? `Attach with: sm attach ${oneLine(copy.id)}\n` : ''));
  },
});
