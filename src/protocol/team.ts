// Teams: a manager and its workers, as a file describes them. Who is of a team is told with each session (`member`).
import { z } from '@hono/zod-openapi';
import { environment, nullableText } from './fields.ts';
import { optionsBody } from './options.ts';

/** The place of a new session in a team; refused if another session has it. */
const memberBody = z.object({ team: z.string().min(1).max(64), name: z.string().min(1).max(64) });
export const memberFields = { member: memberBody.nullish() };

const teamMember = z.object({
  name: z.string(),
  manager: z.boolean(),
  line: z.number(),
  working_dir: z.string(),
  /** That of the file, of its profile, or the usual one. */
  provider: z.string(),
  model: nullableText,
  options: optionsBody,
  /** False: none; null: as its profile says. */
  worktree: z.object({ branch: nullableText, base: nullableText }).or(z.literal(false)).nullable(),
  role: nullableText,
  keys: z.record(z.string(), z.string()),
  prompt: nullableText,
  tags: z.array(z.string()),
});
export type TeamMemberView = z.infer<typeof teamMember>;

const team = z.object({ team: z.string(), members: z.array(teamMember) });
export type TeamView = z.infer<typeof team>;

export const teamRoutes = {
  'POST /teams/read': {
    summary: 'What the file of a team says; refused, with lines, if a member could not be started so',
    body: z
      .object({
        /** Its absolute path: paths in it are seen from its folder. */
        file: z.string().min(1).max(4_096),
        text: z.string().max(1_000_000),
        env: environment.optional(),
      })
      .openapi('ReadTeam'),
    answer: team,
  },
} as const;
