// Rules as they stand in files: under `policies:` in the configuration, and in the file of those that sm writes.
import { z } from 'zod';
import { givesAway, type Pattern, parsePattern, type Rule } from '../domain/policy/rule.ts';

const pattern = z.string().transform((text, context): Pattern => {
  const parsed = parsePattern(text);
  if (!('fault' in parsed)) return parsed;
  context.addIssue({ code: 'custom', message: parsed.fault });
  return z.NEVER;
});

/** One, or several. No union, whose faults would not be named. */
const patterns = z.preprocess((value) => (typeof value === 'string' ? [value] : value), z.array(pattern).min(1));
const name = z.string().min(1).nullable().default(null);

export const policy = z
  .strictObject({
    allow: patterns.optional(),
    deny: patterns.optional(),
    /** The sessions that it is for: an id, a name, or a name with stars. */
    session: name,
    profile: name,
    /** What the agent is told with a denial. */
    reason: name,
    /** The user knows that it allows everything. */
    yes: z.boolean().default(false),
  })
  .superRefine(({ allow, deny, yes, reason }, context) => {
    const fault = (message: string) => void context.addIssue({ code: 'custom', message });
    if ((allow === undefined) === (deny === undefined)) fault('write either allow or deny');
    if (allow && reason !== null) fault('only a denial has a reason');
    const given = yes ? undefined : allow?.map(givesAway).find((each) => each !== null);
    if (given) fault(`this allows ${given}. Add yes: true if you mean it`);
  });

export type Policy = z.infer<typeof policy>;

/** One rule for each pattern; they share the name of the place where they stand. */
export function rulesOf({ allow, deny, session, profile, reason }: Policy, id: string): Rule[] {
  const decision = allow ? 'allow' : 'deny';
  return (allow ?? deny ?? []).map((each) => ({ id, decision, pattern: each, session, profile, reason }));
}
