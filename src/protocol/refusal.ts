// What a request is answered that cannot be done.
import { z } from '@hono/zod-openapi';

export const errorView = z
  .object({
    /** A short code. */
    error: z.string(),
    /** What happened, why, and what to do. */
    detail: z.string(),
  })
  .openapi('Error');
export type ErrorView = z.infer<typeof errorView>;
