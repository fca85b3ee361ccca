// What is told of an event.
import { z } from '@hono/zod-openapi';

export const eventView = z
  .looseObject({ number: z.number(), session_id: z.string(), at: z.string(), type: z.string() })
  .openapi('Event');
export type EventView = z.infer<typeof eventView>;
