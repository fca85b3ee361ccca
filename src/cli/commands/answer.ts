import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { given } from '../given.ts';
import { ownSessionId } from '../io.ts';
import { nearest } from '../nearest.ts';
import { oneLine } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';

const decisions = ['allow', 'deny'] as const;

export default defineCommand({
  usage: 'SESSION allow|deny [TEXT] [--question ID]',
  about:
    'Answers a permission question without typing into the terminal. TEXT is the reason for a deny. A session without a\n' +
    'terminal also takes TEXT with allow, when it asks for words. Answer other questions in the terminal: sm attach SESSION',
  options: {
    question: { value: 'ID', help: 'answer only this question (`question.id` in sm all --json)' },
  },
  arity: [2, 3],
  async run({ args: [ref = '', word = '', text], options, io, client }) {
    const decision = decisions.find((each) => each === word);
    if (decision === undefined) {
      const guess = nearest(word, decisions);
      const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
      throw new Failure(`Answer allow or deny, not "${word}".${hint}`);
    }
    const session = await presentSession(client, ref);
    const answer = await client.ask('POST /sessions/{ref}/answer', {
      ref: session.id,
      body: {
        decision,
        text: given('answer', text),
        question: options.question,
        requester_session_id: ownSessionId(io),
      },
    });
    // What the daemon says was asked: since we looked, it may have become another question.
    const asked = answer.question ? `, to: ${oneLine(answer.question)}` : '';
    io.out(`Answered ${nameAndId(session)}: ${decision}${asked}\n`);
  },
});
