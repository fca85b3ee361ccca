// Questions: what an agent waits for a human to answer. While one stands, nothing is typed.
import type { Draft } from './draft.ts';
import type { Fact } from './fact.ts';
import type { Evidence } from './message.ts';
import { tellQuestion } from './notices.ts';
import type { Question } from './session.ts';
import { activity, hasEnded } from './turns.ts';

export function permissionAsked(
  d: Draft,
  fact: Extract<Fact, { is: 'permission-asked' }>,
  evidence: Evidence,
): void {
  if (hasEnded(d, fact.turnId)) return;
  activity(d, fact, evidence);
  // Its turn may have turned out to be over.
  if (!d.session.turn) return;
  ask(d, { kind: 'permission', since: d.now, text: fact.text, subject: fact.subject });
}

export function ask(d: Draft, question: Question): void {
  d.update({ question });
  d.emit({ type: 'blocked', kind: question.kind, text: question.text });
  tellQuestion(d, question.text);
}

export function answered(d: Draft, why: string): void {
  if (!d.session.question) return;
  d.update({ question: null });
  d.emit({ type: 'unblocked', why });
}
