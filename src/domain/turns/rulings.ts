// Questions that a rule of the user answers. Nobody is asked or told, and the session is not blocked. The answer goes to
// the agent as any other does; if it does not arrive, the question is asked after all.
import type { Change } from '../core/change.ts';
import type { Fact } from '../core/fact.ts';
import type { Evidence } from '../core/names.ts';
import type { Ruling } from '../core/parts.ts';
import { displayName, type Session } from '../core/session.ts';
import type { Call } from '../policy/call.ts';
import { denial, judge, type Who } from '../policy/judge.ts';
import { type Rule, ruleText } from '../policy/rule.ts';
import { answerLost, ask, type Handed } from './question.ts';

/** As whom the rules know a session. */
export const asWho = (session: Session): Who => ({
  id: session.id,
  names: [displayName(session), session.name, ...session.tags.map((tag) => `tag:${tag}`)],
  profile: session.options.profile,
});

/** Whether a rule has answered. */
export function ruled(c: Change, question: Ruling['question'], call: Call, evidence: Evidence): boolean {
  const { decision, rule, also } = judge(c.settings.rules(), asWho(c.session), call);
  if (rule === null) return false;
  const text = decision === 'deny' ? denial(rule, call) : null;
  const effect = c.owe({ do: 'answer', fact: question.hook.fact, decision, text });
  const rules = [rule, ...also];
  c.update({ rulings: [...c.session.rulings, { question, evidence, rule: idsOf(rules), effect }] });
  answeredBy(c, rules, effect, question.text);
  return true;
}

/** It takes several to allow a command of several parts. */
const idsOf = (rules: readonly Rule[]): string => [...new Set(rules.map(({ id }) => id))].join(', ');

function answeredBy(c: Change, rules: readonly Rule[], answer: string | null, question: string): void {
  const decision = rules[0]?.decision ?? 'deny';
  const says = rules.map(ruleText).join('; ');
  c.emit({ type: 'question', step: 'ruled', answer, decision, rule: idsOf(rules), says, question });
}

/** Most agents do not ask about everything, and none about what its user has let it do: a denial holds there, too. */
export function callStopped(c: Change, { call, text }: Extract<Fact, { is: 'call-stopped' }>): void {
  const { decision, rule } = judge(c.settings.rules(), asWho(c.session), call);
  if (decision === 'deny') answeredBy(c, [rule], null, text);
}

/** Whether it was the answer of a rule that was handed over, or was not. */
export function rulingHanded(c: Change, outcome: Handed, effectId: string): boolean {
  const { rulings } = c.session;
  const ruling = rulings.find(({ effect }) => effect === effectId);
  if (!ruling) return false;
  c.update({ rulings: rulings.filter((each) => each !== ruling) });
  if (outcome === 'taken') c.emit({ type: 'question', step: 'answer-taken', answer: effectId });
  else {
    c.emit(answerLost(effectId, outcome));
    // What has ended or stands already asks nobody.
    if (c.session.turn && !c.session.question) {
      const hook = outcome === 'later' ? ruling.question.hook : null;
      ask(c, { ...ruling.question, hook }, ruling.evidence);
    }
  }
  return true;
}
