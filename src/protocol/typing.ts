// Typing into the terminal of a session, as a person who sits at it.
import { z } from '@hono/zod-openapi';

/** As tmux calls them. */
const keyName =
  /^(?:C-[\x21-\x7e]|M-[\x21-\x7e]|(?:C-)?(?:M-)?(?:S-)?(?:Enter|Escape|Tab|BTab|Space|BSpace|DC|IC|Up|Down|Left|Right|Home|End|PPage|NPage|F(?:[1-9]|1[0-2])))$/;

const typed = z.union([
  /** Letter by letter, as it stands. */
  z.strictObject({ text: z.string().min(1).max(10_000) }),
  /** All of it in one go. */
  z.strictObject({ paste: z.string().min(1).max(100_000) }),
  z.strictObject({ key: z.string().regex(keyName, 'is no key that can be pressed') }),
]);
export type TypedView = z.infer<typeof typed>;

export const typingRoutes = {
  'POST /sessions/{ref}/typing': {
    summary: 'Type into the terminal of a session, as a person who sits at it',
    body: z.object({ typed: z.array(typed).min(1).max(200) }).openapi('Typing'),
    answer: z.object({ status: z.literal('typed'), session_id: z.string() }),
  },
  'PUT /sessions/{ref}/size': {
    summary: 'Give the terminal of a session another size, while nobody is attached to it',
    body: z
      .object({ columns: z.number().int().min(20).max(500), rows: z.number().int().min(5).max(200) })
      .openapi('Size'),
    answer: z.object({ session_id: z.string(), columns: z.number(), rows: z.number() }),
  },
} as const;
