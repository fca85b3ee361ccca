// What is typed into a session beside messages: the agent's own commands, and single keys.
import { z } from '@hono/zod-openapi';
import { requesterBody } from './fields.ts';
import { waitsFor } from './session-view.ts';

const key = z.enum(['Enter', 'Escape', 'Tab', 'Up', 'Down', 'Space', 'BSpace', 'C-c']);

export const commandRoutes = {
  'POST /sessions/{ref}/slash': {
    summary: "Type a command of the agent's own into the session, when it is idle",
    body: requesterBody.extend({ command: z.string().min(2).max(502) }).openapi('Slash'),
    answer: z.object({
      status: z.enum(['typed', 'waiting']),
      session_id: z.string(),
      command_id: z.string(),
      waits_for: waitsFor.nullable(),
    }),
  },
  'POST /sessions/{ref}/key': {
    summary: "Press a key in a session's terminal",
    body: requesterBody.extend({ key }).openapi('Key'),
    answer: z.object({ status: z.literal('pressed'), session_id: z.string(), key: z.string() }),
  },
} as const;
