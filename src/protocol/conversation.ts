// Conversations in the agents' own records: to find one, and to go on with it in a session.
import { z } from '@hono/zod-openapi';
import { environment, line, nullableNumber } from './fields.ts';
import { optionsBody } from './options.ts';
import { sessionView } from './session-view.ts';

const provider = z.string().min(1).max(50);
const id = z.string().min(1).max(200);

const conversationView = z
  .object({
    provider: z.string(),
    id: z.string(),
    working_dir: z.string(),
    /** What its agent was first asked, cut. */
    first_words: z.string(),
    modified_at: z.string(),
    /** The session whose present conversation it is. */
    session: z.object({ id: z.string(), name: z.string(), killed: z.boolean() }).nullable(),
    /** The process that has it open; of one that runs elsewhere the pid is not known. */
    open: z.object({ pid: nullableNumber }).nullable(),
  })
  .openapi('Conversation');
export type ConversationView = z.infer<typeof conversationView>;

const findBody = z
  .object({
    /** Left out: every kind of agent that has a record. */
    provider: provider.nullish(),
    id: id.nullish(),
    /** Only those that this process, or one below it, has open. */
    below: z.number().int().positive().nullish(),
    limit: z.number().int().min(1).max(500).default(20),
    /** Says whose records they are. */
    env: environment.optional(),
  })
  .openapi('FindConversations');

const adoptBody = z
  .object({
    provider,
    id,
    name: line.max(64).nullish(),
    model: line.nullish(),
    options: optionsBody.nullish(),
    tags: z.array(z.string().max(200)).max(100).optional(),
    /** The process that has it open is to be ended first. */
    end_pid: z.number().int().positive().nullish(),
    env: environment.optional(),
  })
  .openapi('Adopt');

export const conversationRoutes = {
  'POST /conversations/find': {
    summary: "Conversations in the agents' own records, the newest first",
    body: findBody,
    answer: z.object({ conversations: z.array(conversationView) }),
  },
  'POST /conversations/adopt': {
    summary: 'Start a session that goes on with a conversation that was not ours',
    body: adoptBody,
    answer: sessionView,
  },
} as const;
