// What a session's agent is started with, beyond its model.
import { z } from '@hono/zod-openapi';
import { environment, line, nullableText } from './fields.ts';

const path = z.string().min(1).max(4_096);
const argument = z
  .string()
  .max(100_000)
  .regex(/^[^\0]*$/, 'has a NUL character');

/** The values of `env` are kept in a private file of the session, and told to nobody but its agent. */
export const optionsBody = z
  .strictObject({
    profile: line.max(64).nullish(),
    permission_mode: line.max(100).nullish(),
    add_dirs: z.array(path).max(100).optional(),
    mcp_configs: z.array(path).max(100).optional(),
    args: z.array(argument).max(1_000).optional(),
    env: environment.optional(),
    sandbox: z.boolean().optional(),
  })
  .openapi('Options');
export type OptionsBody = z.input<typeof optionsBody>;

/** Of its own variables only the names are told. */
export const optionsView = z.object({
  profile: nullableText,
  permission_mode: nullableText,
  add_dirs: z.array(z.string()),
  mcp_configs: z.array(z.string()),
  args: z.array(z.string()),
  variables: z.array(z.string()),
  sandbox: z.boolean(),
});
export type OptionsView = z.infer<typeof optionsView>;
