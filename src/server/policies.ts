// The rules for permissions, as the routes need them: found, written, shown.
import { mayWriteRules } from '../domain/core/authority.ts';
import type { Actor } from '../domain/core/names.ts';
import { conflict, invalid, type RefusalData, stands } from '../domain/core/refusal.ts';
import { displayName, nameAndId, type Session } from '../domain/core/session.ts';
import { judge } from '../domain/policy/judge.ts';
import { givesAway, parsePattern, patternFor, patternText, type Rule } from '../domain/policy/rule.ts';
import { isAnother, noQuestion } from '../domain/turns/questions.ts';
import { asWho } from '../domain/turns/rulings.ts';
import type { RuleView } from '../protocol/policy.ts';
import { Refused } from './refused.ts';
import { find } from './resolve.ts';
import type { Service } from './service.ts';

interface Said {
  readonly decision: 'allow' | 'deny';
  readonly pattern: string;
  readonly session?: string | null | undefined;
  readonly profile?: string | null | undefined;
  readonly reason?: string | null | undefined;
}

const wrong = (message: string, data?: RefusalData): Refused => new Refused(invalid(message, data));

export function ruleFrom(
  service: Service,
  { decision, pattern: text, session, profile, reason }: Said,
): Rule {
  const pattern = parsePattern(text);
  if ('fault' in pattern) throw wrong(pattern.fault);
  if (decision === 'allow' && reason) throw wrong('Only a denial has a reason.');
  // By its id, which stays the same when it is renamed.
  const whose = session && !/^tag:|\*/.test(session) ? find(service, session).session.id : session;
  const id = service.random.hex(8);
  return { id, decision, pattern, session: whose || null, profile: profile || null, reason: reason || null };
}

/** In force, and in the file, when this returns; one that says the same is not written twice. */
export function writeRule({ policies, clock }: Service, rule: Rule, yes: boolean): Rule {
  const given = rule.decision === 'allow' && !yes ? givesAway(rule.pattern) : null;
  if (given !== null)
    throw wrong(`${patternText(rule.pattern)} allows ${given}.`, {
      is: 'gives-away',
      pattern: patternText(rule.pattern),
    });
  const same = policies.rules().find((each) => key(each) === key(rule));
  if (same) return same;
  policies.add(rule, new Date(clock.now()).toISOString());
  return rule;
}

export interface Always {
  readonly pattern?: string | null | undefined;
  readonly all: boolean;
  readonly yes: boolean;
}

/** The rule for calls like the one that the session asks about, written. */
export function alwaysAllow(
  service: Service,
  session: Session,
  by: Actor,
  always: Always,
  seen: string | null | undefined,
): Rule {
  const refusal = mayWriteRules(by);
  if (refusal) throw new Refused(refusal);
  const call = session.question?.call;
  const name = nameAndId(session);
  if (!session.question) throw new Refused(noQuestion(session));
  const another = isAnother(session, seen ?? undefined);
  if (another) throw new Refused(another);
  if (!call)
    throw new Refused(stands(session, 'no-call', `What ${name} asks is no call of a tool. Answer it once.`));
  const pattern = always.pattern ? parsePattern(always.pattern) : patternFor(call);
  if ('fault' in pattern)
    throw wrong(
      always.pattern ? pattern.fault : `There is no rule for this: ${pattern.fault}. Answer it once.`,
    );
  const whose = always.all ? null : session.id;
  const id = service.random.hex(8);
  const rule: Rule = { id, decision: 'allow', pattern, session: whose, profile: null, reason: null };
  const { decision, missed } = judge([rule], asWho(session), call);
  if (decision !== 'allow') {
    const why = missed[0]?.why ?? 'it is about another tool';
    throw wrong(`${patternText(pattern)} does not cover what ${name} asks: ${why}.`);
  }
  return writeRule(service, rule, always.yes);
}

const key = ({ id: _, ...rest }: Rule): string => JSON.stringify(rest);

/** One that sm has written, by its id or the beginning of it. */
export function findRule({ policies }: Service, id: string): Rule {
  const rules = policies.rules();
  const exact = rules.filter((each) => each.id === id);
  const found = exact.length > 0 ? exact : rules.filter((each) => each.id.startsWith(id));
  const [rule] = found;
  if (!rule)
    throw new Refused({ code: 'not-found', message: `No rule "${id}".`, data: { is: 'no-rule', ref: id } });
  const ids = [...new Set(found.map((each) => each.id))];
  if (ids.length > 1)
    throw wrong(`Several rules begin with "${id}": ${ids.join(', ')}.`, {
      is: 'several-rules',
      ref: id,
      rules: ids,
    });
  if (policies.isOwn(rule.id)) return rule;
  const message = `Rule ${rule.id} is in your configuration, which sm does not change.`;
  throw new Refused(conflict(message, { is: 'configured-rule', rule: rule.id }));
}

export const viewsOfRules =
  ({ engine, policies }: Service) =>
  ({ id, decision, pattern, session, profile, reason }: Rule): RuleView => {
    const named = session === null ? undefined : engine.get(session)?.session;
    return {
      id,
      decision,
      pattern: patternText(pattern),
      session,
      session_name: named ? displayName(named) : null,
      profile,
      reason,
      source: policies.isOwn(id) ? 'sm' : 'config',
    };
  };
