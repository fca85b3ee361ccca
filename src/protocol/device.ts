// Browsers that are signed in: codes to sign in with, the list, and signing out.
import { z } from '@hono/zod-openapi';
import { line, sessionRef } from './fields.ts';

export const deviceView = z
  .object({
    id: z.string(),
    /** `Firefox on Linux` */
    name: z.string(),
    signed_in_at: z.string(),
    /** To the hour. */
    seen_at: z.string(),
    /** Unless it is seen before. */
    expires_at: z.string(),
    /** The one session that it may look at; null: it may do everything. */
    guest_of: z.string().nullable(),
    /** It is a link that nobody has opened yet. */
    link: z.boolean(),
    /** It is the one that asks. */
    current: z.boolean(),
  })
  .openapi('Device');
export type DeviceView = z.infer<typeof deviceView>;

export const deviceRoutes = {
  'POST /devices/codes': {
    summary: 'A one-time code with which a browser signs in',
    answer: z.object({
      code: z.string(),
      expires_at: z.string(),
      /** The page on this machine, with the code behind `#`, which browsers keep to themselves. */
      local_url: z.string(),
      /** The same as other devices reach it; null: `server.url` is not set. */
      url: z.string().nullable(),
    }),
  },
  'POST /devices/links': {
    summary: 'A link with which one other browser may look at a session',
    body: z
      .object({
        session: sessionRef,
        seconds: z
          .number()
          .int()
          .min(60)
          .max(7 * 24 * 3_600),
      })
      .openapi('Share'),
    answer: z.object({
      device: deviceView,
      expires_at: z.string(),
      local_url: z.string(),
      /** As other devices reach it; null: `server.url` is not set. */
      url: z.string().nullable(),
    }),
  },
  'POST /devices': {
    summary: 'Sign in with a code',
    body: z.object({ code: z.string().min(1).max(100), name: line.max(100) }).openapi('SignIn'),
    /** The cookie comes with the answer. `key`: to be sent with every request, as x-sm-page. */
    answer: z.object({ device: deviceView, key: z.string() }),
  },
  'GET /devices': {
    summary: 'The browsers that are signed in',
    answer: z.object({ devices: z.array(deviceView) }),
  },
  'DELETE /devices/{id}': {
    summary: 'Sign a browser out',
    answer: z.object({ status: z.literal('revoked'), id: z.string(), name: z.string() }),
  },
} as const;
