import { chosen, yesOption } from '../choose-sessions.ts';
import { defineCommand } from '../command.ts';
import { presentSession } from '../find-session.ts';
import { forEach } from '../for-each.ts';
import { ownSessionId } from '../io.ts';
import { giveClear } from '../send-and-wait.ts';
import { givenText } from '../text-argument.ts';

export default defineCommand({
  usage: 'SESSION [PROMPT|-|--file F] [--yes]',
  about:
    'Starts a new context in a session: the agent forgets the conversation; name, task and waiting messages stay.\n' +
    'PROMPT follows after the clear. A person may clear any session; a session only its children.',
  options: { file: { value: 'F', help: 'read the prompt from a file' }, yes: yesOption },
  async run({ args: [ref = '', text], options, io, client }) {
    const prompt = await givenText(io, { what: 'prompt', text, file: options.file });
    const refs = await chosen({ io, client }, [ref], { verb: 'clear', yes: options.yes });
    return forEach(refs, io, async (each) => {
      const session = await presentSession(client, each);
      const body = { prompt, requester_session_id: ownSessionId(io) };
      const { line } = await giveClear(io, client, session, body);
      io.out(`${line}\n`);
    });
  },
});
