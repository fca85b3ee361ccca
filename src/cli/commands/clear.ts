import type { SessionView } from '../../protocol/session.ts';
import type { ClearAnswer } from '../answers.ts';
import { sessionPath } from '../client.ts';
import { defineCommand } from '../command.ts';
import { givenText } from '../given-text.ts';
import { ownSessionId } from '../io.ts';
import { sentLine } from '../message-text.ts';
import { reason } from '../reason.ts';
import { nameAndId } from '../session-text.ts';

export default defineCommand({
  usage: 'SESSION [PROMPT|-|--file F]',
  about:
    'Starts a new context in a session, which forgets all that was said; its name, task and waiting messages stay.\n' +
    'A prompt follows once the clear is proven. A person may clear any session; a session those that it has started.',
  options: { file: { value: 'F', help: 'read the prompt from a file' } },
  arity: [1, 2],
  async run({ args: [ref = '', text], options, io, client }) {
    const prompt = await givenText(io, { what: 'prompt', text, file: options.file });
    const session = await client.get<SessionView>(sessionPath(ref));
    const sentAt = io.now();
    const answer = await client.send<ClearAnswer>('POST', sessionPath(session.id, '/clear'), {
      prompt,
      requester_session_id: ownSessionId(io),
    });
    const why = answer.why ? `: ${reason(answer.why)}` : '';
    io.out(
      answer.status === 'cleared'
        ? `Cleared ${nameAndId(session)}\n`
        : `The clear of ${nameAndId(session)} is not proven yet${why}. See: sm tail ${session.id} -f\n`,
    );
    if (answer.message) io.out(`${sentLine(session, answer.message, sentAt)}\n`);
    else if (prompt !== undefined) io.out('The prompt will follow.\n');
  },
});
