// Rules as they stand in files: under `policies:` in the configuration, and in the file of those that sm writes.
import { z } from 'zod';
import { givesAway, type Pattern, parsePattern, patternText, type Rule } from '../domain/policy/rule.ts';

const pattern = z.string().transform((text, context): Pattern => {
  const parsed = parsePattern(text);
  if (!('fault' in parsed)) return parsed;
  context.addIssue({ code: 'custom', message: parsed.fault });
  return z.NEVER;
});

/** One, or several. No union, whose faults would not be named. */
const patterns = z
  .preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(pattern).min(1))
  .optional();
const text = z.string().min(1).nullable().default(null);

const fields = {
  allow: patterns,
  deny: patterns,
  /** The sessions that it is for: an id, a name, or a name with stars. */
  session: text,
  profile: text,
  /** What the agent is told with a denial. */
  reason: text,
  /** The user knows that it allows everything. */
  yes: z.boolean().default(false),
};

function checked<Schema extends z.ZodType<Policy>>(schema: Schema): Schema {
  return schema.superRefine(({ allow, deny, yes, reason }, context) => {
    const fault = (message: string) => void context.addIssue({ code: 'custom', message });
    if ((allow === undefined) === (deny === undefined)) fault('write either allow or deny');
    if (allow && reason !== null) fault('only a denial has a reason');
    const given = yes ? undefined : allow?.map(givesAway).find((each) => each !== null);
    if (given) fault(`this allows ${given}. Add "yes: true" if you mean it`);
  });
}

export interface Policy {
  readonly allow?: readonly Pattern[] | undefined;
  readonly deny?: readonly Pattern[] | undefined;
  readonly session: string | null;
  readonly profile: string | null;
  readonly reason: string | null;
  readonly yes: boolean;
}

export const policy = checked(z.strictObject(fields));

/** The file that sm writes: each rule has a name of its own. */
export const ownPolicies = z.strictObject({
  policies: z.array(checked(z.strictObject({ ...fields, id: z.string().min(1), added: text }))).default([]),
});

/** One rule for each pattern; they share the name of the place where they stand. */
export function rulesOf({ allow, deny, session, profile, reason }: Policy, id: string): Rule[] {
  const decision = allow ? 'allow' : 'deny';
  return (allow ?? deny ?? []).map((each) => ({ id, decision, pattern: each, session, profile, reason }));
}

/** As it stands in the file that sm writes: what says nothing is left out. */
export function asPolicy({ id, decision, pattern, session, profile, reason }: Rule, added: string): object {
  return {
    id,
    [decision]: patternText(pattern),
    ...(session !== null && { session }),
    ...(profile !== null && { profile }),
    ...(reason !== null && { reason }),
    ...(decision === 'allow' && givesAway(pattern) !== null && { yes: true }),
    added,
  };
}
