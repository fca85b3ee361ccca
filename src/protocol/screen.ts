// What a pane shows, row by row with its colours, and how that changes.
import { z } from '@hono/zod-openapi';

const cursor = z.object({ x: z.number(), y: z.number() });

export const screenView = z
  .object({
    columns: z.number(),
    rows: z.number(),
    cursor,
    /** One entry per row. Besides text it has only escape sequences of colours and attributes, and each row stands alone. */
    lines: z.array(z.string()),
  })
  .openapi('Screen');
export type ScreenView = z.infer<typeof screenView>;

export const screenItem = z
  .discriminatedUnion('is', [
    z.object({ is: z.literal('screen'), screen: screenView }).openapi('ScreenWhole'),
    /** Only the rows that differ from what was sent before, by their number. */
    z
      .object({ is: z.literal('rows'), cursor, lines: z.record(z.string(), z.string()) })
      .openapi('ScreenRows'),
    /** The last item: there is no such pane, or no longer. */
    z.object({ is: z.literal('none') }).openapi('ScreenNone'),
  ])
  .openapi('ScreenItem');
export type ScreenItem = z.infer<typeof screenItem>;
