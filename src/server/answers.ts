// Answers what a session asks, for whoever does so: through the page, the command line, or a channel.
import { isNamed } from '../domain/core/event.ts';
import type { Actor } from '../domain/core/names.ts';
import { questionId } from '../domain/core/parts.ts';
import { invalid, stands } from '../domain/core/refusal.ts';
import { nameAndId, type Session } from '../domain/core/session.ts';
import { ruleText } from '../domain/policy/rule.ts';
import type { RequestOf } from '../protocol/routes.ts';
import { aMoment } from './messages.ts';
import { type Always, alwaysAllow } from './policies.ts';
import { notDone, Refused } from './refused.ts';
import type { Service } from './service.ts';
import { submit, type Tell, untilCommit, type Waiting } from './submit.ts';

type Body = RequestOf<'POST /sessions/{ref}/answer'>['body'];
export type NewAnswer = Pick<Body, 'decision' | 'text' | 'question'> & {
  readonly by: Actor;
  readonly always?: Always | null | undefined;
};

/** Once the hook that waits has it. Throws who was first, or why it cannot be answered. */
export async function answerQuestion(service: Service, session: Session, answer: NewAnswer) {
  const { decision, text, always, question: seen, by } = answer;
  const { id, provider } = session;
  const { typed, takesWords } = service.provider(provider)?.capabilities ?? {};
  const isTyped = typed !== false;
  if (text && takesWords === false) throw new Refused(invalid(noWords(provider)));
  if (decision === 'allow' && text && isTyped) throw new Refused(invalid(noRoom));
  if (decision === 'deny' && always) throw new Refused(invalid('Only an allow can be for always.'));
  // Written first: should we die now, the next answer finds it there, and it is not written twice.
  const rule = always ? alwaysAllow(service, session, by, always, seen) : null;
  let over: Waiting<boolean> | undefined;
  try {
    // A rule is for the question that stands there now, and so is the answer.
    const meant = rule && session.question ? questionId(session.question) : seen;
    const sent = await submit(service, id, {
      type: 'answer',
      by,
      decision,
      text: text ?? null,
      question: meant ?? undefined,
      ...(rule && { rule: rule.id }),
    });
    const { question } = sent.session;
    over = untilCommit(service, id, isOverruled);
    // What becomes of an answer is decided in a later tick than the answer itself.
    const lost = await untilCommit(service, id, whyLost(question?.hook?.answer?.effect ?? '')).promise;
    if (lost !== null) {
      const what = 'The answer did not arrive';
      throw isTyped
        ? new Refused(stands(session, 'no-waiting-hook', `${what}: ${lost}.`))
        : notDone('answer', session, what, lost);
    }
    // Whoever has said no wants to know if the dialog was answered with yes in the same moment.
    if (decision === 'deny' && isTyped && (await within(service, over)))
      throw new Refused(
        stands(
          session,
          'no-waiting-hook',
          `${nameAndId(session)} was answered in its terminal first: it was allowed.`,
        ),
      );
    return { asked: question?.text ?? '', rule };
  } catch (error) {
    if (!rule || !(error instanceof Refused)) throw error;
    const { message } = error.refusal;
    const kept = `Rule ${rule.id} is written, and holds from now on: ${ruleText(rule)}.`;
    throw new Refused({ ...error.refusal, message: `${message} ${kept}` });
  } finally {
    over?.cancel();
  }
}

// A dialog has no room for more than yes.
const noRoom = 'Only deny takes a text: the reason. To say more, send it a message.';

const noWords = (provider: string): string =>
  `No words can go with an answer to ${provider}: allow or deny it, and send it a message.`;

/** What the agent did tells who was first; that may take longer than anybody wants to wait. */
async function within({ clock }: Service, over: Waiting<boolean>): Promise<boolean> {
  let limit: { cancel(): void } | undefined;
  const tooLong = new Promise<boolean>((resolve) => {
    limit = clock.timer(aMoment(false).ms, () => resolve(false));
  });
  try {
    return await Promise.race([over.promise, tooLong]);
  } finally {
    limit?.cancel();
  }
}

/** Undefined: it still stands there. */
const isOverruled: Tell<boolean> = ({ lastQuestion }, events) =>
  events.some((body) => isNamed(body, 'question closed')) ? lastQuestion?.answer === null : undefined;

/** Null once the hook has it. */
function whyLost(answer: string): Tell<string | null> {
  return (_, events) => {
    for (const body of events) {
      if (!('answer' in body) || body.answer !== answer || body.step === 'answered') continue;
      return body.step === 'answer-lost' ? body.why : null;
    }
    return undefined;
  };
}
