import { resolve } from 'node:path';
import type { ReviewAnswer, ReviewTarget } from '../../protocol/review.ts';
import { reviewers } from '../../providers/cards.ts';
import { wholeNumber } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { endText, isAnswered, messageEnd, newestEvent } from '../events.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { environment, type Io, ownSessionId } from '../io.ts';
import { isDead, sentLine } from '../text/message.ts';
import { oneLine, safeJson, safeText } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { cut } from '../text/width.ts';
import { given, givenText } from '../text-argument.ts';
import { untilStarted } from '../wait-for-start.ts';

interface Targets {
  readonly base?: string | undefined;
  readonly uncommitted: boolean;
  readonly commit?: string | undefined;
  readonly custom?: string | undefined;
}

const names = reviewers.map(({ name }) => name).join(', ');

export default defineCommand({
  usage:
    '[SESSION] [--base BRANCH|--uncommitted|--commit COMMIT|--custom TEXT] [--new] [--name NAME] [--model MODEL] [--wait N] [--json]',
  about:
    `Lets an agent review a change (${names}). A SESSION that can do this does it when it is idle; otherwise a\n` +
    'new session starts in the directory of SESSION, or here. A session gets the result as a notice; a person waits with\n' +
    '--wait, or reads it with sm output. A review is a message: use sm queue, sm trace and sm withdraw.',
  options: {
    uncommitted: { help: 'uncommitted changes: staged, unstaged, untracked (default)' },
    base: { value: 'BRANCH', help: 'changes of this branch against BRANCH' },
    commit: { value: 'COMMIT', help: 'changes of one commit' },
    custom: { value: 'TEXT', help: 'whatever TEXT asks for; - reads standard input' },
    new: { help: 'always start a new session' },
    name: { value: 'NAME', help: 'name of the new session' },
    model: { value: 'MODEL', help: 'model of the new session' },
    wait: { value: 'N', help: 'wait up to N seconds and print the review' },
    json: jsonOption,
  },
  async run({ args: [ref], options, io, client }) {
    const seconds = wholeNumber('--wait', options.wait, 0);
    const target = await targetOf(io, options);
    const self = ownSessionId(io);
    const of = ref === undefined ? null : await presentSession(client, ref);
    const after = of && seconds > 0 ? await newestEvent(client, of.id) : 0;
    const sentAt = io.now();
    const asked = await client.ask('POST /reviews', {
      body: {
        target,
        session: of?.id,
        new: options.new,
        name: given('name', options.name),
        model: given('model', options.model),
        // A session's review runs in its own directory.
        working_dir: of ? undefined : resolve(io.cwd),
        requester_session_id: self,
        env: environment(io),
      },
    });
    const launched = {
      id: asked.session_id,
      called: `${oneLine(asked.name)} (${asked.session_id})`,
      seconds,
    };
    const more = asked.created ? await untilStarted(io, client, launched) : '';
    const answer = asked.created ? await asItIsNow(client, asked) : asked;
    const session = await client.ask('GET /sessions/{ref}', { ref: answer.session_id });
    const line = sentLine(session, answer, sentAt);
    if (isDead(answer.state)) throw new Failure(line);
    if (!options.json) {
      if (answer.created)
        io.out(`Started ${nameAndId(session)} in ${safeText(answer.working_dir)} for the review\n${more}`);
      io.out(`${line}\n`);
    }
    if (seconds === 0) {
      if (options.json) io.out(safeJson(answer));
      else if (self === undefined) io.out(`Read the result later with: sm output ${session.id}\n`);
      else io.out('You get the result as a notice.\n');
      return 0;
    }
    const sent = { ...answer, after: answer.created ? 0 : after };
    const end = await messageEnd(io, client, sent, seconds);
    if (options.json) io.out(safeJson({ ...answer, ...end }));
    else if (end.last_message !== null && isAnswered(end))
      io.out(`${safeText(end.last_message).trimEnd()}\n`);
    if (isAnswered(end)) return 0;
    throw new Failure(
      `${nameAndId(session)} did not answer: ${cut(oneLine(endText(end)), 200)}. See: sm trace ${answer.message_id}`,
    );
  },
});

/** While its session started, the message may have been taken. */
async function asItIsNow(client: Client, answer: ReviewAnswer): Promise<ReviewAnswer> {
  const { state, why, evidence } = (await client.ask('GET /messages/{id}', { id: answer.message_id }))
    .message;
  return { ...answer, state, why, evidence };
}

async function targetOf(io: Io, { base, uncommitted, commit, custom }: Targets): Promise<ReviewTarget> {
  const given = [base, uncommitted || undefined, commit, custom].filter((each) => each !== undefined);
  if (given.length > 1)
    throw new Failure(
      'Choose only one of --base, --uncommitted, --commit and --custom: a review has one target.',
    );
  if (base !== undefined) return { of: 'base', branch: base };
  if (commit !== undefined) return { of: 'commit', commit };
  if (custom === undefined) return { of: 'uncommitted' };
  return { of: 'custom', text: (await givenText(io, { what: 'text', text: custom, file: undefined })) ?? '' };
}
