// The rules for permissions, as the routes need them: found, written, shown.
import { displayName } from '../domain/core/session.ts';
import { givesAway, parsePattern, patternText, type Rule } from '../domain/policy/rule.ts';
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

const invalid = (message: string): Refused => new Refused({ code: 'invalid', message });

export function ruleFrom(
  service: Service,
  { decision, pattern: text, session, profile, reason }: Said,
): Rule {
  const pattern = parsePattern(text);
  if ('fault' in pattern) throw invalid(pattern.fault);
  if (decision === 'allow' && reason) throw invalid('Only a denial has a reason.');
  // By its id, which stays the same when it is renamed.
  const whose = session && !session.includes('*') ? find(service, session).session.id : session;
  const id = service.random.hex(8);
  return { id, decision, pattern, session: whose || null, profile: profile || null, reason: reason || null };
}

/** In force, and in the file, when this returns; one that says the same is not written twice. */
export function writeRule({ policies, clock }: Service, rule: Rule, yes: boolean): Rule {
  const given = rule.decision === 'allow' && !yes ? givesAway(rule.pattern) : null;
  if (given !== null)
    throw invalid(`${patternText(rule.pattern)} allows ${given}. If you mean it, say it again with --yes.`);
  const same = policies.rules().find((each) => key(each) === key(rule));
  if (same) return same;
  policies.add(rule, new Date(clock.now()).toISOString());
  return rule;
}

const key = ({ id: _, ...rest }: Rule): string => JSON.stringify(rest);

/** One that sm has written, by its id or the beginning of it. */
export function findRule({ policies }: Service, id: string): Rule {
  const rules = policies.rules();
  const exact = rules.filter((each) => each.id === id);
  const found = exact.length > 0 ? exact : rules.filter((each) => each.id.startsWith(id));
  const [rule] = found;
  if (!rule) throw new Refused({ code: 'not-found', message: `No rule "${id}". See: sm policy` });
  if (new Set(found.map((each) => each.id)).size > 1)
    throw invalid(`Several rules begin with "${id}": ${found.map((each) => each.id).join(', ')}.`);
  if (policies.isOwn(rule.id)) return rule;
  const message = `Rule ${rule.id} is in your configuration, which sm does not change. Delete it there, then: sm down && sm up`;
  throw new Refused({ code: 'conflict', message });
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
