// Rules for permissions, in words.
import type { RuleView } from '../../protocol/policy.ts';
import { oneLine } from './safe.ts';
import { tableLines } from './table.ts';

/** `allow Bash(npm test)` */
const ruleText = ({ decision, pattern }: RuleView): string => `${decision} ${oneLine(pattern)}`;

/** `login (35c21191)`, `worker-*`, `profile night`; empty: all sessions. */
export function whoText({ session, session_name: name, profile }: RuleView): string {
  const whose = session !== null && name !== null ? `${oneLine(name)} (${session})` : oneLine(session ?? '');
  return [whose, profile === null ? '' : `profile ${oneLine(profile)}`]
    .filter((each) => each !== '')
    .join(', ');
}

/** `9f3a01c2: allow Bash(npm test) for login (35c21191)` */
export function ruleLine(rule: RuleView): string {
  const who = whoText(rule);
  return `${oneLine(rule.id)}: ${ruleText(rule)}${who === '' ? ' for all sessions' : ` for ${who}`}`;
}

export function ruleTable(rules: readonly RuleView[], columns?: number): string[] {
  const rows = rules.map((rule) =>
    [oneLine(rule.id), whoText(rule) || 'all sessions', ruleText(rule), oneLine(rule.reason ?? '')].map(
      (text) => ({
        text,
      }),
    ),
  );
  return tableLines(['ID', 'FOR', 'RULE', 'REASON'], rows, columns);
}

/** The command that writes the same rule again. */
export function commandFor({ decision, pattern, session, profile, reason }: RuleView): string {
  const given = (name: string, value: string | null) => (value === null ? [] : [`--${name}`, quoted(value)]);
  const options = [...given('session', session), ...given('profile', profile), ...given('reason', reason)];
  return ['sm policy', decision, quoted(pattern), ...options].join(' ');
}

const quoted = (text: string): string =>
  /^[\w./:-]+$/.test(text) ? text : `'${oneLine(text).replaceAll("'", "'\\''")}'`;
