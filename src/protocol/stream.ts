// What the live stream of GET /events sends: each item is the data of one server-sent event. Its id is the number after
// which the next events follow, so that whoever comes back with it (`Last-Event-ID`) misses nothing and hears nothing twice.
import { z } from '@hono/zod-openapi';
import { eventView } from './event-view.ts';
import { sessionView } from './session-view.ts';

export const streamItem = z
  .discriminatedUnion('is', [
    z
      .object({
        is: z.literal('connected'),
        /** Events after this number follow. Lower than what was asked for: the history was replaced by an older one. */
        after: z.number(),
        /** All sessions as they are now, for whoever asked for views; from here on each one that changes is sent. */
        sessions: z.array(sessionView).nullable(),
        /** The channels of notifications that do not work; null as `sessions`, and for whoever hears of one session only. */
        broken_channels: z.array(z.string()).nullable(),
      })
      .openapi('StreamConnected'),
    z.object({ is: z.literal('event'), event: eventView }).openapi('StreamEvent'),
    /** It has changed; one whose `ended.killed` is true has left the list. */
    z.object({ is: z.literal('session'), session: sessionView }).openapi('StreamSession'),
    /** Other channels of notifications than before do not work, or none. */
    z.object({ is: z.literal('channels'), broken: z.array(z.string()) }).openapi('StreamChannels'),
    /** The last item. `slow`: the reader has taken nothing for too long. `stopping`: the daemon stops. */
    z.object({ is: z.literal('end'), why: z.enum(['slow', 'stopping']) }).openapi('StreamEnd'),
  ])
  .openapi('StreamItem');
export type StreamItem = z.infer<typeof streamItem>;
