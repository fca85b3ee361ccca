// Questions: what an agent waits for a human to answer. While one stands, nothing is typed. One that a hook of ours
// waits with can be answered from afar. That the hook took the answer is not yet that the agent goes on: a question is
// over only when there is evidence of it.

import type { Draft } from '../core/change.ts';
import type { EffectResult } from '../core/effect.ts';
import type { Fact } from '../core/fact.ts';
import type { Input, Refusal } from '../core/input.ts';
import type { Actor, Evidence } from '../core/names.ts';
import type { Answer, Question } from '../core/parts.ts';
import { displayName, type Session } from '../core/session.ts';
import { tellQuestion, tellStillBlocked } from '../notices/notices.ts';
import { skipTime } from '../promises/reminders.ts';
import { activity, hasEnded } from './turns.ts';

/** How soon after an answer the dialog should be gone from the pane. */
const answerShows = 300;

export function permissionAsked(
  d: Draft,
  fact: Extract<Fact, { is: 'permission-asked' }>,
  evidence: Evidence,
): void {
  if (hasEnded(d, fact.turnId)) return;
  activity(d, fact, evidence);
  // Its turn may have turned out to be over.
  if (!d.session.turn) return;
  const { text, subject } = fact;
  const asked: Question = { ...aQuestion(d, 'permission', text), subject, fact: evidence.id };
  const standing = d.session.question;
  if (isAskedAlready(standing, asked)) {
    const { since, overdueAt } = standing;
    d.update({ question: { ...asked, since, overdueAt } });
  } else ask(d, asked);
}

/** The dialog may have been seen before its hook was heard, and a hook may come twice: that is told once. */
function isAskedAlready(standing: Question | null, asked: Question): standing is Question {
  if (!standing || standing.answer) return false;
  return standing.kind === 'dialog' || standing.subject === asked.subject;
}

/** A dialog that was only seen: nobody waits for an answer but the dialog itself. */
export function dialogSeen(d: Draft, text: string): void {
  ask(d, aQuestion(d, 'dialog', text));
}

const aQuestion = (d: Draft, kind: Question['kind'], text: string): Question => ({
  kind,
  since: d.now,
  text,
  subject: null,
  fact: null,
  answer: null,
  overdueAt: d.now + d.settings.blockedBound,
});

function ask(d: Draft, question: Question): void {
  d.update({ question });
  d.emit({ type: 'blocked', kind: question.kind, text: question.text });
  tellQuestion(d, question.text);
}

export function answered(d: Draft, why: string): void {
  const { question } = d.session;
  if (!question) return;
  d.update({ question: null, lastQuestion: { text: question.text, answer: question.answer, why } });
  d.emit({ type: 'unblocked', why });
  skipTime(d, question.since);
}

/** Nobody has answered for too long: the parent hears of it again, once. */
export function questionDue(d: Draft): void {
  const { question } = d.session;
  if (!question || question.overdueAt === null || d.now < question.overdueAt) return;
  d.update({ question: { ...question, overdueAt: null } });
  tellStillBlocked(d, question.text, Math.round((d.now - question.since) / 1_000));
}

/** Somebody who is not at the pane answers: the waiting hook is to be given the answer. */
export function answer(d: Draft, input: Extract<Input, { type: 'answer' }>): Refusal | undefined {
  const { by, decision, text } = input;
  const refusal = canBeAnswered(d.session);
  if (refusal) return refusal;
  const question = d.session.question as Question & { fact: string };
  const effect = d.owe({ do: 'answer', fact: question.fact, decision, text });
  d.update({ question: { ...question, answer: { decision, by, effect } } });
  d.emit({ type: 'question-answered', answer: effect, by, decision, text, question: question.text });
  return undefined;
}

function canBeAnswered(session: Session): Refusal | null {
  const { question } = session;
  if (!question) return conflict(`${named(session)} asks nothing.${whatBecameOf(session.lastQuestion)}`);
  const stands = `If its dialog still stands, answer there: sm attach ${session.id}`;
  if (question.answer) return conflict(`It was answered already: ${saidBy(question.answer)}. ${stands}`);
  if (question.fact !== null) return null;
  return conflict(
    `No hook waits for the answer of ${named(session)}, so it can be given only in its terminal: sm attach ${session.id}`,
  );
}

function whatBecameOf(last: Session['lastQuestion']): string {
  if (!last) return '';
  const how = last.answer ? `answered: ${saidBy(last.answer)}` : `answered in its terminal (${last.why})`;
  return ` Its last question was ${how}.`;
}

/** What became of handing over the answer. */
export function answerHanded(
  d: Draft,
  outcome: Extract<EffectResult, { of: 'answer' }>['outcome'],
  effectId: string,
): void {
  const { question } = d.session;
  const standing = question?.answer?.effect === effectId ? question : null;
  if (outcome === 'taken') {
    d.emit({ type: 'answer-taken', answer: effectId });
    if (!standing?.answer) return;
    d.update({ question: { ...standing, answer: { ...standing.answer, effect: null } } });
    // Not every answer makes the agent say anything: a no does not, nor a yes to what takes long.
    d.update({ watch: { lookAt: d.now + answerShows, quiet: null } });
    return;
  }
  d.emit({ type: 'answer-lost', answer: effectId, why: whyLost[outcome] });
  const fact = outcome === 'later' ? (standing?.fact ?? null) : null;
  if (standing) d.update({ question: { ...standing, fact, answer: null } });
}

const whyLost = {
  later: 'the agent does not take it now; give it again later',
  nobody: 'no hook waits for it any more',
  unknown: 'the daemon ended while it was handed over',
};

const saidBy = ({ decision, by }: Answer): string => `${decision}, by ${nameOf(by)}`;
const nameOf = (by: Actor): string => (by.kind === 'person' ? 'the user' : by.id);
const named = (session: Session): string => `${displayName(session)} (${session.id})`;
const conflict = (message: string): Refusal => ({ code: 'conflict', message });
