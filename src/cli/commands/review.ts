import { resolve } from 'node:path';
import type { InputAnswer } from '../../protocol/message.ts';
import type { SessionView } from '../../protocol/session.ts';
import type { TraceAnswer } from '../answers.ts';
import { wholeNumber } from '../arguments.ts';
import { type Client, messagePath, sessionPath } from '../client.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { newestEvent } from '../events.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { oneLine, safeJson, safeText } from '../format/text.ts';
import { cut } from '../format/width.ts';
import { givenText } from '../given-text.ts';
import { type Io, ownSessionId } from '../io.ts';
import { given } from '../limits.ts';
import { endText, isAnswered, messageEnd } from '../message-end.ts';
import { isDead, sentLine } from '../message-text.ts';
import { nameAndId } from '../session-text.ts';
import { untilStarted } from '../started.ts';

interface ReviewAnswer extends InputAnswer {
  readonly created: boolean;
  readonly name: string;
  readonly working_dir: string;
}

interface Targets {
  readonly base?: string | undefined;
  readonly uncommitted: boolean;
  readonly commit?: string | undefined;
  readonly custom?: string | undefined;
}

export default defineCommand({
  usage:
    '[SESSION] [--base BRANCH|--uncommitted|--commit COMMIT|--custom TEXT] [--new] [--name NAME] [--model MODEL] [--wait N] [--json]',
  about:
    'Has Codex review a change: in SESSION, when it is idle, if it is one of codex-app; else in a new session of\n' +
    'codex-app in the directory of SESSION, or here. A session that asks is told the result when the review is done; a\n' +
    'person waits for it with --wait, or reads it with sm output. It is a message: sm queue, sm trace and sm withdraw\n' +
    'work for it.',
  options: {
    uncommitted: { help: 'what is not committed: staged, unstaged, untracked (the default)' },
    base: { value: 'BRANCH', help: 'what this branch has and BRANCH has not' },
    commit: { value: 'COMMIT', help: 'what a commit changed' },
    custom: { value: 'TEXT', help: 'what the text asks for; - reads it from standard input' },
    new: { help: 'in a new session, also if SESSION could do it' },
    name: { value: 'NAME', help: 'what to call a new session' },
    model: { value: 'MODEL', help: 'the model that a new session is to use' },
    wait: { value: 'N', help: 'wait up to N seconds for the review, and print it' },
    json: jsonOption,
  },
  arity: [0, 1],
  async run({ args: [ref], options, io, client }) {
    const seconds = wholeNumber('--wait', options.wait, 0);
    const target = await targetOf(io, options);
    const self = ownSessionId(io);
    const of = ref === undefined ? null : await presentSession(client, ref);
    const after = of && seconds > 0 ? await newestEvent(client, of.id) : 0;
    const sentAt = io.now();
    const asked = await client.send<ReviewAnswer>('POST', '/reviews', {
      target,
      session: of?.id,
      new: options.new,
      name: given('name', options.name),
      model: given('model', options.model),
      // Of a session it is that session's own.
      working_dir: of ? undefined : resolve(io.cwd),
      requester_session_id: self,
      env: io.env,
    });
    const launched = {
      id: asked.session_id,
      called: `${oneLine(asked.name)} (${asked.session_id})`,
      seconds,
    };
    const more = asked.created ? await untilStarted(io, client, launched) : '';
    const answer = asked.created ? await asItIsNow(client, asked) : asked;
    const session = await client.get<SessionView>(sessionPath(answer.session_id));
    const line = sentLine(session, answer, sentAt);
    if (isDead(answer.state)) throw new Failure(line);
    if (!options.json) {
      if (answer.created)
        io.out(`Started ${nameAndId(session)} in ${safeText(answer.working_dir)} for the review\n${more}`);
      io.out(`${line}\n`);
    }
    if (seconds === 0) {
      if (options.json) io.out(safeJson(answer));
      else if (self === undefined) io.out(`When it is done: sm output ${session.id}\n`);
      else io.out('You will be told the result.\n');
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

/** Its session had to start first, and meanwhile it may have been taken. */
async function asItIsNow(client: Client, answer: ReviewAnswer): Promise<ReviewAnswer> {
  const { state, why, evidence } = (await client.get<TraceAnswer>(messagePath(answer.message_id))).message;
  return { ...answer, state, why, evidence };
}

async function targetOf(io: Io, { base, uncommitted, commit, custom }: Targets) {
  const given = [base, uncommitted || undefined, commit, custom].filter((each) => each !== undefined);
  if (given.length > 1)
    throw new Failure('Choose one of --base, --uncommitted, --commit and --custom: a review has one target.');
  if (base !== undefined) return { of: 'base', branch: base };
  if (commit !== undefined) return { of: 'commit', commit };
  if (custom === undefined) return { of: 'uncommitted' };
  return { of: 'custom', text: await givenText(io, { what: 'text', text: custom, file: undefined }) };
}
