// Notifications: what a person was told, by which channel, and how that ended.
import { z } from '@hono/zod-openapi';
import { nullableText } from './fields.ts';
import { occasion } from './trigger.ts';

/** `waiting`: its time has not come, or it is being sent. */
const outcome = z.enum(['waiting', 'sent', 'suppressed', 'no-device', 'failed']);

const notificationView = z
  .object({
    id: z.string(),
    /** When it happened. */
    at: z.string(),
    /** 0: a test. */
    event: z.number(),
    occasion,
    session_id: z.string(),
    /** Null: it is forgotten, or it was a test. */
    session_name: nullableText,
    channel: z.string(),
    to: z.string(),
    outcome,
    why: nullableText,
    /** When it ended so. */
    ended_at: nullableText,
    /** What waits is told then, if it still holds. */
    due_at: nullableText,
  })
  .openapi('Notification');
export type NotificationView = z.infer<typeof notificationView>;

const channelView = z
  .object({
    name: z.string(),
    kind: z.string(),
    /** Why it does not work; null: nothing is known against it. */
    problem: nullableText,
    last_sent_at: nullableText,
  })
  .openapi('Channel');
export type ChannelView = z.infer<typeof channelView>;

export const notificationRoutes = {
  'GET /notifications': {
    summary: 'What the person was told, the newest first, and how each ended',
    query: z.object({ limit: z.coerce.number().int().min(1).max(1_000).default(50) }),
    answer: z.object({ notifications: z.array(notificationView) }),
  },
  'GET /notifications/channels': {
    summary: 'The channels of notifications, and what keeps each from working',
    answer: z.object({ channels: z.array(channelView) }),
  },
  'POST /notifications/test': {
    summary: 'Send a notification that is made up through a channel now',
    body: z.object({ channel: z.string().min(1).max(100) }),
    answer: z.object({
      sent: z.array(z.object({ to: z.string(), outcome, why: nullableText })),
    }),
  },
} as const;
