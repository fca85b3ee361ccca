import type { QuestionAnswer } from '../answers.ts';
import { sessionPath } from '../client.ts';
import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { oneLine } from '../format/text.ts';
import { ownSessionId } from '../io.ts';
import { given } from '../limits.ts';
import { nearest } from '../nearest.ts';
import { nameAndId } from '../session-text.ts';

const decisions = ['allow', 'deny'];

export default defineCommand({
  usage: 'SESSION allow|deny [TEXT]',
  about:
    'Answers what a session asks permission for, without a key typed into its terminal. The text goes with the answer,\n' +
    'as the reason for a no; to a session without a terminal, with a yes as well, as the words that it asks for. Other\n' +
    'questions are answered in its terminal: sm attach SESSION',
  options: {},
  arity: [2, 3],
  async run({ args: [ref = '', decision = '', text], io, client }) {
    if (!decisions.includes(decision)) {
      const guess = nearest(decision, decisions);
      const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
      throw new Failure(`The answer is allow or deny, not "${decision}".${hint}`);
    }
    const session = await presentSession(client, ref);
    const answer = await client.send<QuestionAnswer>('POST', sessionPath(session.id, '/answer'), {
      decision,
      text: given('answer', text),
      requester_session_id: ownSessionId(io),
    });
    // What the daemon says was asked: since we looked, it may have become another question.
    const asked = answer.question ? `, to: ${oneLine(answer.question)}` : '';
    io.out(`Answered ${nameAndId(session)}: ${decision}${asked}\n`);
  },
});
