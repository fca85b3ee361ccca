// Questions: what an agent waits for a human to answer. While one stands, nothing is typed. One that a hook of ours
// waits with can be answered from afar. That the hook took the answer is not yet that the agent goes on: a question is
// over only when there is evidence of it.

import type { Change } from '../core/change.ts';
import type { Fact } from '../core/fact.ts';
import type { Input, Refusal } from '../core/input.ts';
import type { Actor, Evidence } from '../core/names.ts';
import { type Answer, type Question, questionId } from '../core/parts.ts';
import { conflict, stands } from '../core/refusal.ts';
import { nameAndId, named, type Session } from '../core/session.ts';
import { tellStillBlocked } from '../notices/notices.ts';
import { answerLost, aQuestion, ask, type Handed } from './question.ts';
import { ruled, rulingHanded } from './rulings.ts';
import { activity, hasEnded } from './turns.ts';

/** How soon after an answer the dialog should be gone from the pane. */
const answerShows = 300;

export function permissionAsked(
  c: Change,
  fact: Extract<Fact, { is: 'permission-asked' }>,
  evidence: Evidence,
): void {
  if (hasEnded(c, fact.turnId)) return;
  activity(c, fact, evidence);
  // Its turn may have turned out to be over.
  if (!c.session.turn) return;
  const { text, subject, call = null } = fact;
  const asked = {
    ...aQuestion(c, 'permission', text),
    subject,
    hook: { fact: evidence.id, answer: null },
    call,
  };
  if (call && ruled(c, asked, call, evidence)) return;
  const standing = c.session.question;
  if (isAskedAlready(standing, asked)) {
    const { since, overdueAt } = standing;
    c.update({ question: { ...asked, since, overdueAt } });
  } else ask(c, asked, evidence);
}

/** The dialog may have been seen before its hook was heard, and a hook may come twice: that is told once. */
function isAskedAlready(standing: Question | null, asked: Question): standing is Question {
  if (!standing || standing.hook?.answer) return false;
  return standing.kind === 'dialog' || standing.subject === asked.subject;
}

/** Nobody has answered for too long: the parent hears of it again, once. */
export function questionDue(c: Change): void {
  const { question } = c.session;
  if (!question || question.overdueAt === null || c.now < question.overdueAt) return;
  c.update({ question: { ...question, overdueAt: null } });
  tellStillBlocked(c, question.text, Math.round((c.now - question.since) / 1_000));
}

/** Somebody who is not at the pane answers: the waiting hook is to be given the answer. */
export function answer(c: Change, input: Extract<Input, { type: 'answer' }>): Refusal | undefined {
  const { by, decision, text, rule } = input;
  const { question } = c.session;
  if (!question?.hook || question.hook.answer) return cannotBeAnswered(c.session);
  const refusal = isAnother(c.session, input.question);
  if (refusal) return refusal;
  const { fact } = question.hook;
  const effect = c.owe({ do: 'answer', fact, decision, text });
  c.update({ question: { ...question, hook: { fact, answer: { decision, by, effect } } } });
  c.emit({
    type: 'question',
    step: 'answered',
    answer: effect,
    by,
    decision,
    text,
    question: question.text,
    ...(rule !== undefined && { rule }),
  });
  return undefined;
}

function cannotBeAnswered(session: Session): Refusal {
  const { question } = session;
  if (!question) return noQuestion(session, whatBecameOf(session.lastQuestion));
  if (question.hook?.answer) {
    const message = `The question is already answered: ${saidBy(question.hook.answer)}.`;
    return stands(session, 'already-answered', message);
  }
  return stands(session, 'no-waiting-hook', `No hook of ${nameAndId(session)} waits for an answer.`);
}

/** `more`: what became of the last one. */
export const noQuestion = (session: Session, more = ''): Refusal =>
  stands(session, 'no-question', `${nameAndId(session)} has no open question.${more}`);

/** Whoever answers has seen one question, and answers no other. */
export function isAnother(session: Session, seen: string | undefined): Refusal | null {
  const { question } = session;
  if (seen === undefined || !question || questionId(question) === seen) return null;
  const { text } = question;
  return conflict(`${nameAndId(session)} asks something else by now: ${text}`, {
    is: 'another-question',
    session: named(session),
    question: text,
  });
}

function whatBecameOf(last: Session['lastQuestion']): string {
  if (!last) return '';
  // It was over before its answer had arrived.
  if (last.answer && last.answer.effect !== null)
    return ` Its last question was answered in its terminal, or ${saidBy(last.answer)}: that is not known yet.`;
  const how = last.answer ? `answered: ${saidBy(last.answer)}` : `answered in its terminal (${last.why})`;
  return ` Its last question was ${how}.`;
}

/** What became of handing over the answer. */
export function answerHanded(c: Change, outcome: Handed, effectId: string): void {
  if (rulingHanded(c, outcome, effectId)) return;
  const { question } = c.session;
  const { fact = '', answer = null } = question?.hook ?? {};
  const standing = answer?.effect === effectId ? question : null;
  lastAnswerHanded(c, outcome, effectId);
  if (outcome === 'taken') {
    c.emit({ type: 'question', step: 'answer-taken', answer: effectId });
    if (!standing || !answer) return;
    c.update({ question: { ...standing, hook: { fact, answer: { ...answer, effect: null } } } });
    // Not every answer makes the agent say anything: a no does not, nor a yes to what takes long.
    c.update({ silence: { lookAt: c.now + answerShows, quiet: null } });
    return;
  }
  c.emit(answerLost(effectId, outcome));
  const hook = outcome === 'later' ? { fact, answer: null } : null;
  if (standing) c.update({ question: { ...standing, hook } });
}

/** The question may be over by then. */
function lastAnswerHanded(c: Change, outcome: Handed, effectId: string): void {
  const { lastQuestion } = c.session;
  const answer = lastQuestion?.answer;
  if (!lastQuestion || answer?.effect !== effectId) return;
  c.update({
    lastQuestion: { ...lastQuestion, answer: outcome === 'taken' ? { ...answer, effect: null } : null },
  });
}

const saidBy = ({ decision, by }: Answer): string => `${decision}, by ${nameOf(by)}`;
function nameOf(by: Actor): string {
  if (by.kind === 'session') return by.id;
  return by.via === undefined ? 'the user' : `the user (${by.via})`;
}
