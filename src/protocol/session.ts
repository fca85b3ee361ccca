// One session or all of them: start, list, look, name, kill, restore.
import { z } from '@hono/zod-openapi';
import { environment, line, nullableText, requesterBody, sessionRef } from './fields.ts';
import { limitView } from './limits.ts';
import { messageState } from './message.ts';
import { optionsBody } from './options.ts';
import { screenItem, screenView } from './screen.ts';
import { sessionRow, sessionView } from './session-view.ts';
import { memberFields } from './team.ts';
import { worktreeFields } from './worktree.ts';

export type { ScreenItem, ScreenView } from './screen.ts';
export {
  type BudgetView,
  type OneBudget,
  type PhaseName,
  phase,
  type SessionRow,
  type SessionView,
  sessionRow,
  sessionView,
  type WaitsFor,
} from './session-view.ts';

/** What it may look like is for the domain to say. */
const tag = z.string().max(200);
/** Besides those of the profile. */
const tagFields = { tags: z.array(tag).max(100).optional() };

const createBody = z
  .object({
    working_dir: z.string().min(1).max(4_096),
    provider: z.string().min(1).max(50).nullish(),
    name: line.max(64).nullish(),
    model: line.nullish(),
    options: optionsBody.nullish(),
    parent_session_id: sessionRef.nullish(),
    env: environment.optional(),
    ...worktreeFields,
    ...memberFields,
    ...tagFields,
  })
  .openapi('Create');

const newId = z.string().regex(/^[0-9a-f]{8}$/, 'must be 8 hexadecimal digits');

const spawnBody = z
  .object({
    prompt: z.string(),
    parent_session_id: sessionRef.nullish(),
    working_dir: z.string().min(1).max(4_096).nullish(),
    provider: z.string().min(1).max(50).nullish(),
    name: line.max(64).nullish(),
    model: line.nullish(),
    options: optionsBody.nullish(),
    wait: z.number().min(0).max(86_400).nullish(),
    env: environment.optional(),
    on: z
      .string()
      .min(1)
      .max(100)
      .nullish()
      .openapi({ description: 'A node of the fleet, or `label:L` for one that has it.' }),
    ids: z.object({ session: newId, message: newId }).nullish().openapi({
      description:
        'What the session and its first message are to be called. Asked for again, the same session is told, and none started.',
    }),
    ...worktreeFields,
    ...memberFields,
    ...tagFields,
  })
  .openapi('Spawn');

const spawned = z.object({
  session_id: z.string(),
  name: z.string(),
  friendly_name: nullableText,
  working_dir: z.string(),
  parent_session_id: nullableText,
  tmux_session: nullableText,
  provider: z.string(),
  created_at: z.string(),
  message_id: z.string(),
  message_state: messageState,
  /** Only when the caller asked to wait. */
  turn_ended: z.boolean().optional(),
  last_message: nullableText.optional(),
});

/** One that was asked for by what may be its name. */
const foundSession = sessionView.extend({
  /** Others that were called so when they were killed, the last one first; not all of very many. */
  namesakes: z.array(z.string()).optional(),
});
export type FoundSession = z.infer<typeof foundSession>;

const sessions = z.object({ sessions: z.array(sessionView) });
const selectors = z
  .string()
  .min(1)
  .max(4_096)
  .openapi({ description: 'Selectors and names, with commas between them.' });
/** Only for whoever knows that an id may name a node. */
const withFleet = z.stringbool().default(false).openapi({ description: 'With those of other nodes.' });
const killed = z.object({ status: z.literal('killed'), session_id: z.string() });
const kill = {
  summary: 'Kill a session',
  body: requesterBody,
  bodyOptional: true,
  answer: killed,
} as const;

const childrenQuery = z.object({
  recursive: z.stringbool().default(false),
  status: z.enum(['running', 'idle', 'stopped', 'all']).default('all'),
});

export const sessionRoutes = {
  'GET /sessions': {
    summary: 'All sessions',
    query: z.object({ retired: z.stringbool().default(false), fleet: withFleet }),
    answer: sessions,
  },
  // A path of its own: a daemon that does not know it must not answer with all sessions.
  'GET /selection': {
    summary: 'The sessions that selectors and names mean',
    query: z.object({ of: selectors, retired: z.stringbool().default(false) }),
    answer: sessions,
  },
  'GET /rows': {
    summary: 'Of all sessions, or of those that selectors and names mean, as much as a list shows',
    query: z.object({
      of: selectors.optional(),
      retired: z.stringbool().default(false),
      here: z.stringbool().default(false).openapi({ description: 'Without those of other nodes.' }),
    }),
    /** `node`: what this one is called, where there are others. */
    answer: z.object({
      rows: z.array(sessionRow),
      node: z.string().optional(),
      /** Windows of accounts of which little is left; an older daemon tells none. */
      limits: z.array(limitView).optional(),
    }),
  },
  'POST /sessions': { summary: 'Start a session', body: createBody, answer: sessionView },
  'POST /sessions/spawn': {
    summary: 'Start a session with a first prompt',
    body: spawnBody,
    answer: spawned,
  },
  // Through an open door (`server.open_hooks`) only `id, status, last_handoff_path` are told.
  'GET /sessions/{ref}': { summary: 'One session', answer: foundSession },
  'PATCH /sessions/{ref}': {
    summary: 'Name a session',
    body: requesterBody.extend({ friendly_name: line.max(64) }).openapi('Rename'),
    answer: sessionView,
  },
  'PUT /sessions/{ref}/task': {
    summary: 'Set the task of a session',
    body: requesterBody.extend({ task: line }).openapi('Task'),
    answer: sessionView,
  },
  'PUT /sessions/{ref}/budget': {
    summary: 'Set what a session, or its family, may use up; without an amount, take that away',
    body: requesterBody
      .extend({
        family: z.boolean().default(false),
        usd: z.number().positive().nullable().default(null),
        tokens: z.number().int().positive().nullable().default(null),
      })
      .openapi('Budget'),
    answer: sessionView,
  },
  'POST /sessions/{ref}/tags': {
    summary: 'Add tags to a session, and remove some',
    body: requesterBody
      .extend({ add: z.array(tag).max(100).default([]), remove: z.array(tag).max(100).default([]) })
      .openapi('Tag'),
    answer: sessionView,
  },
  'POST /sessions/{ref}/agent-status': {
    summary: 'Report what the agent is doing',
    body: requesterBody.extend({ text: z.string().trim().min(1).max(100_000) }).openapi('Status'),
    answer: sessionView,
  },
  'POST /sessions/{ref}/kill': kill,
  'DELETE /sessions/{ref}': kill,
  'POST /sessions/{ref}/restore': {
    summary: 'Start an ended session again, with the same conversation',
    body: requesterBody
      .extend({
        env: environment.optional(),
        /** These of the session's own variables get other values, or are added. */
        variables: environment.optional(),
      })
      .openapi('Restore'),
    bodyOptional: true,
    answer: sessionView,
  },
  'POST /sessions/{ref}/fork': {
    summary: 'Start a session that begins with a copy of the conversation of this one',
    body: requesterBody.extend({ name: line.max(64).nullish(), env: environment.optional() }).openapi('Fork'),
    bodyOptional: true,
    answer: sessionView,
  },
  'GET /sessions/{ref}/children': {
    summary: 'The children of a session',
    query: childrenQuery,
    answer: z.object({ parent_session_id: z.string(), children: z.array(sessionView) }),
  },
  'GET /sessions/{ref}/output': {
    summary: 'What its pane shows, or showed last; of a session without one, what it has said',
    query: z.object({ lines: z.coerce.number().int().min(1).max(20_000).default(50) }),
    /** `ended`: how it ended, if it has. */
    answer: z.object({ session_id: z.string(), output: z.string(), ended: nullableText }),
  },
  'GET /sessions/{ref}/screen': {
    summary: 'What its pane shows, with colours; as a stream, each change of it',
    answer: screenView,
    stream: screenItem,
  },
  'GET /sessions/{ref}/last-message': {
    summary: 'The last words of its last turn',
    answer: z.object({ session_id: z.string(), last_message: nullableText }),
  },
} as const;
