// Moves a session into a terminal, or out of it, with its conversation.
import { z } from '@hono/zod-openapi';
import { environment, requesterBody } from './fields.ts';
import { sessionView } from './session-view.ts';

export const takeoverRoutes = {
  'POST /sessions/{ref}/takeover': {
    summary: 'Move a session into a terminal, or out of it',
    body: requesterBody
      .extend({
        /** Where it goes: into a terminal, or on without one. */
        terminal: z.boolean(),
        env: environment.optional(),
      })
      .openapi('Takeover'),
    // Once it is decided: the old process is ended, and the new one launched in its place.
    answer: sessionView,
  },
} as const;
