// A question that stands between the agent and its work: asked once, and over only when there is evidence of it.
import type { Change } from '../core/change.ts';
import type { EffectResult } from '../core/effect.ts';
import type { EventBody } from '../core/event.ts';
import type { Evidence } from '../core/names.ts';
import type { Question } from '../core/parts.ts';
import { tellQuestion } from '../notices/notices.ts';

/** A dialog that was only seen: nobody waits for an answer but the dialog itself. */
export function dialogSeen(c: Change, text: string): void {
  // It may well be the one that a rule is about to answer. If it stays, it will be seen again.
  if (c.session.rulings.length > 0) return;
  ask(c, aQuestion(c, 'dialog', text), { source: 'screen', id: c.nextId('look'), at: c.now });
}

export const aQuestion = (c: Change, kind: Question['kind'], text: string): Question => ({
  kind,
  since: c.now,
  text,
  subject: null,
  hook: null,
  call: null,
  overdueAt: c.now + c.settings.blockedBound,
});

export function ask(c: Change, question: Question, evidence: Evidence): void {
  c.update({ question });
  c.emit({ type: 'question', step: 'asked', kind: question.kind, text: question.text, evidence });
  tellQuestion(c, question.text);
}

export function questionOver(c: Change, why: string): void {
  const { question } = c.session;
  if (!question) return;
  const { text, subject, hook } = question;
  c.update({ question: null, lastQuestion: { text, subject, answer: hook?.answer ?? null, why } });
  c.emit({ type: 'question', step: 'closed', why });
  c.announce({ is: 'unblocked', since: question.since });
}

/**
 * What was asked about has been run. A hook may take a no in the moment in which somebody answers the dialog with yes:
 * what the agent does says who was first.
 */
export function subjectRan(c: Change, subject: string | null): void {
  const { lastQuestion } = c.session;
  if (lastQuestion?.answer?.decision !== 'deny' || lastQuestion.subject !== subject) return;
  c.update({ lastQuestion: { ...lastQuestion, answer: null, why: 'it was allowed there first' } });
}

export type Handed = Extract<EffectResult, { of: 'answer' }>['outcome'];

const whyLost: Readonly<Record<Exclude<Handed, 'taken'>, string>> = {
  later: 'the agent does not take it now; answer again later',
  nobody: 'no hook waits for it now',
  unknown: 'the daemon stopped in between',
};

export const answerLost = (answer: string, outcome: Exclude<Handed, 'taken'>): EventBody => ({
  type: 'question',
  step: 'answer-lost',
  answer,
  why: whyLost[outcome],
});
