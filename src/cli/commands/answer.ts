import { defineCommand } from '../command.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { ownSessionId } from '../io.ts';
import { nearest } from '../nearest.ts';
import { ruleLine } from '../text/rule.ts';
import { oneLine } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { given } from '../text-argument.ts';

const answers = ['allow', 'deny', 'always'] as const;

export default defineCommand({
  usage: 'SESSION allow|deny|always [TEXT] [--all] [--yes] [--question ID]',
  about:
    'Answers a permission question without typing into the terminal. TEXT is the reason for a deny. A session without a\n' +
    'terminal also takes TEXT with allow, when it asks for words. always allows it and writes a rule, so that this session\n' +
    "is not asked again: for exactly this call, or for the pattern in TEXT, such as 'Bash(npm run *)'. See: sm policy\n" +
    'Answer other questions in the terminal: sm attach SESSION',
  options: {
    question: { value: 'ID', help: 'answer only this question (`question.id` in sm all --json)' },
    all: { help: 'with always: for every session' },
    yes: { help: 'with always: write the rule, though it allows everything' },
  },
  async run({ args: [ref = '', word = '', text], options, io, client }) {
    const answer = answers.find((each) => each === word);
    if (answer === undefined) {
      const guess = nearest(word, answers);
      const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
      throw new Failure(`Answer allow, deny or always, not "${word}".${hint}`);
    }
    if (answer !== 'always' && (options.all || options.yes))
      throw new Failure(`${options.all ? '--all' : '--yes'} goes with always.`);
    const session = await presentSession(client, ref);
    const said = given('answer', text);
    const { all, yes } = options;
    const body =
      answer === 'always'
        ? { decision: 'allow' as const, always: { pattern: said, all, yes } }
        : { decision: answer, text: said };
    const { question, rule } = await client.ask('POST /sessions/{ref}/answer', {
      ref: session.id,
      body: { ...body, question: options.question, requester_session_id: ownSessionId(io) },
    });
    // What the daemon says was asked: since we looked, it may have become another question.
    const asked = question ? `, to: ${oneLine(question)}` : '';
    io.out(`Answered ${nameAndId(session)}: ${body.decision}${asked}\n`);
    if (rule) io.out(`Rule ${ruleLine(rule)}\nTake it back with: sm policy remove ${rule.id}\n`);
  },
});
