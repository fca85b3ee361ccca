// Every request that the daemon answers, in one table: the server takes its checks and its paths from it, a client the
// types of what it asks and hears.
import { z } from '@hono/zod-openapi';
import { clearRoutes } from './clear.ts';
import { commandRoutes } from './command.ts';
import { contextRoutes } from './context.ts';
import { conversationRoutes } from './conversation.ts';
import { costRoutes } from './cost.ts';
import { deviceRoutes } from './device.ts';
import { diffRoutes } from './diff.ts';
import { digestRoutes } from './digest.ts';
import { eventRoutes } from './event.ts';
import { sessionRef } from './fields.ts';
import { handoffRoutes } from './handoff.ts';
import { healthRoutes } from './health.ts';
import { interruptRoutes } from './interrupt.ts';
import { kindRoutes } from './kind.ts';
import { limitRoutes } from './limits.ts';
import { lockRoutes } from './lock.ts';
import { messageRoutes } from './message.ts';
import { nodeRoutes } from './node.ts';
import { notificationRoutes } from './notification.ts';
import { policyRoutes } from './policy.ts';
import { profileRoutes } from './profile.ts';
import { pushRoutes } from './push.ts';
import { questionRoutes } from './question.ts';
import { reminderRoutes } from './reminder.ts';
import { reviewRoutes } from './review.ts';
import { searchRoutes } from './search.ts';
import { sessionRoutes } from './session.ts';
import { takeoverRoutes } from './takeover.ts';
import { teamRoutes } from './team.ts';
import { triggerRoutes } from './trigger.ts';
import { typingRoutes } from './typing.ts';
import { watchRoutes } from './watch.ts';
import { whyRoutes } from './why.ts';
import { worktreeRoutes } from './worktree.ts';

export interface Route {
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** A body may be left out altogether where nothing in it is needed. */
  readonly bodyOptional?: boolean;
  readonly answer: z.ZodType;
  /** What the same request answers piece by piece, to whoever accepts `text/event-stream`. */
  readonly stream?: z.ZodType;
}

/** What fills the places of a path. */
export const places = {
  ref: sessionRef.openapi({ description: 'An id, a unique prefix of an id, or a name.' }),
  id: z.string().min(1).max(200),
} as const;

export const routes = {
  ...healthRoutes,
  ...sessionRoutes,
  ...conversationRoutes,
  ...kindRoutes,
  ...profileRoutes,
  ...teamRoutes,
  ...messageRoutes,
  ...reviewRoutes,
  ...clearRoutes,
  ...interruptRoutes,
  ...takeoverRoutes,
  ...commandRoutes,
  ...questionRoutes,
  ...policyRoutes,
  ...reminderRoutes,
  ...handoffRoutes,
  ...contextRoutes,
  ...costRoutes,
  ...limitRoutes,
  ...watchRoutes,
  ...typingRoutes,
  ...lockRoutes,
  ...whyRoutes,
  ...worktreeRoutes,
  ...diffRoutes,
  ...eventRoutes,
  ...searchRoutes,
  ...deviceRoutes,
  ...digestRoutes,
  ...triggerRoutes,
  ...nodeRoutes,
  ...notificationRoutes,
  ...pushRoutes,
} as const satisfies Readonly<Record<`${'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'} /${string}`, Route>>;

export type Routes = typeof routes;
/** `GET /sessions/{ref}` */
export type RouteName = keyof Routes;
export type AnswerOf<Name extends RouteName> = z.output<Routes[Name]['answer']>;

/** All that a request says: what fills its path, its query and its body. */
export type RequestOf<Name extends RouteName> = ParamsIn<Name> & QueryPart<Name> & BodyPart<Name>;

type ParamsIn<Path extends string> = Path extends `${string}{${infer Param}}${infer Rest}`
  ? { readonly [Each in Param]: string } & ParamsIn<Rest>
  : unknown;

type QueryPart<Name extends RouteName> = Routes[Name] extends { readonly query: infer Query }
  ? OptionalIfEmpty<'query', QueryValues<Query>>
  : { readonly query?: never };

type BodyPart<Name extends RouteName> = Routes[Name] extends { readonly body: infer Body }
  ? Routes[Name] extends { readonly bodyOptional: true }
    ? { readonly body?: z.input<Body> }
    : { readonly body: z.input<Body> }
  : { readonly body?: never };

/** As they are meant: that they travel as text is the business of the client and the server. */
type QueryValues<Query> = {
  readonly [Key in keyof z.input<Query>]: Key extends keyof z.output<Query>
    ? Exclude<z.output<Query>[Key], null> | undefined
    : never;
};

type OptionalIfEmpty<Key extends string, Value> = object extends Value
  ? { readonly [Each in Key]?: Value }
  : { readonly [Each in Key]: Value };
