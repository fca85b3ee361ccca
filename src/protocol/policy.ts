// Rules for permissions: listed, written, taken back, and tried on a call.
import { z } from '@hono/zod-openapi';
import { line, nullableText, sessionRef } from './fields.ts';

const decision = z.enum(['allow', 'deny']);

export const ruleView = z
  .object({
    id: z.string(),
    decision,
    /** `Bash(npm test)` */
    pattern: z.string(),
    /** For which sessions: an id, a name, or a name with stars; null: for all. */
    session: nullableText,
    /** What the session is called, if it is one that is known by its id. */
    session_name: nullableText,
    profile: nullableText,
    reason: nullableText,
    /** `config`: the user has written it; `sm`: sm has, for him. */
    source: z.enum(['config', 'sm']),
  })
  .openapi('Rule');
export type RuleView = z.infer<typeof ruleView>;

const rulePattern = z.string().trim().min(1).max(100_000);

const ruleBody = z
  .object({
    decision,
    pattern: rulePattern,
    /** A session, or a name with stars. */
    session: sessionRef.nullish(),
    profile: sessionRef.nullish(),
    reason: line.nullish(),
    /** It may allow everything. */
    yes: z.boolean().default(false),
  })
  .openapi('NewRule');

const trialBody = z
  .object({
    /** Whose call it is; without one, a session's of that profile, in that directory. */
    session: sessionRef.nullish(),
    profile: sessionRef.nullish(),
    directory: z.string().startsWith('/').max(4_096).nullish(),
    tool: z.string().trim().min(1).max(200),
    /** Its command, path or address; of other tools, any text of its input. */
    input: z.string().max(1_000_000).default(''),
  })
  .openapi('RuleTrial');

const trialAnswer = z.object({
  decision: z.enum(['allow', 'deny', 'ask']),
  /** The rule that decides; null: none does. */
  rule: ruleView.nullable(),
  /** The others that it takes to allow all parts of a command. */
  also: z.array(ruleView),
  /** Rules for this session and this tool that do not cover the call, and why. */
  missed: z.array(z.object({ rule: ruleView, why: z.string() })),
});
export type TrialAnswer = z.infer<typeof trialAnswer>;

export const policyRoutes = {
  'GET /policies': {
    summary: 'Every rule for permissions',
    answer: z.object({ policies: z.array(ruleView) }),
  },
  'POST /policies': { summary: 'Write a rule for permissions', body: ruleBody, answer: ruleView },
  'DELETE /policies/{id}': { summary: 'Take back a rule that sm has written', answer: ruleView },
  'POST /policies/test': {
    summary: 'What the rules would say to a call of a tool',
    body: trialBody,
    answer: trialAnswer,
  },
} as const;
