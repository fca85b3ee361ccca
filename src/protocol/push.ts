// Web push: a browser that is signed in asks to be told also while the page is closed.
import { z } from '@hono/zod-openapi';

/** The secrets of a browser are short, and go into the head of a request. */
const secret = z
  .string()
  .regex(/^[\w-]+=*$/)
  .max(200);

export const pushRoutes = {
  'GET /push': {
    summary: 'The key that a browser subscribes with; null: no channel pushes',
    answer: z.object({ key: z.string().nullable(), subscribed: z.boolean() }),
  },
  'PUT /push': {
    summary: 'Tell the browser that asks, also while its page is closed',
    body: z.object({
      endpoint: z
        .url()
        .max(2_000)
        .refine((url) => /^(https:|http:\/\/127\.0\.0\.1[:/])/.test(url), 'must be a https URL'),
      keys: z.object({ p256dh: secret, auth: secret }),
    }),
    answer: z.object({ status: z.literal('subscribed') }),
  },
  'DELETE /push': {
    summary: 'Do not tell it any more',
    answer: z.object({ status: z.literal('unsubscribed') }),
  },
} as const;
