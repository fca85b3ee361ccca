// The policies port: the user's rules for permissions, wherever they stand.
import type { Rule } from '../domain/policy/rule.ts';

export interface Policies {
  /** All that hold now: those of the configuration first. */
  rules(): readonly Rule[];
  /** Whether sm has written it; the others are the user's own words, which stay as they are. */
  isOwn(id: string): boolean;
  /** When it returns, the rule is in the file. */
  add(rule: Rule, added: string): void;
  remove(id: string): void;
}
