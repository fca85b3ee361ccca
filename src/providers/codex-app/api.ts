// The app-server's requests, typed. The id of a request says what it was for, so that whoever reads the answer in the
// app-server's output knows it, also after a restart of ours.
import type { Connection, Reply, RequestId } from '../../headless/connection.ts';
import { type Opening, openingId } from '../../headless/opening.ts';
import { record } from '../values.ts';
import type {
  ClientMethod,
  InitializeParams,
  ReviewStartParams,
  ReviewTarget,
  TextInput,
  ThreadForkParams,
  ThreadResumeParams,
  ThreadStartParams,
  ThreadStatus,
  TurnInterruptParams,
  TurnStartParams,
  TurnSteerParams,
  UnreadMethod,
} from './protocol.ts';

const methodNotFound = -32601;
const limits = { opening: 20_000, turn: 10_000, status: 1_500 };

export interface Api {
  initialize(version: string): Promise<Reply>;
  open(opening: Opening, params: ThreadStartParams | ThreadResumeParams | ThreadForkParams): Promise<Reply>;
  startTurn(threadId: string, text: string): Promise<Reply>;
  /** `message` is of ours, and stands for the review. */
  review(threadId: string, message: string, target: ReviewTarget): Promise<Reply>;
  steer(threadId: string, turnId: string, text: string): Promise<Reply>;
  interrupt(threadId: string, turnId: string): Promise<Reply>;
  compact(threadId: string): Promise<Reply>;
  /** Null when it does not answer, or does not know the thread. */
  status(threadId: string): Promise<ThreadStatus | null>;
  /** Answers a request of the app-server; false when it could not be handed over. */
  respond(id: RequestId, result: object): Promise<boolean>;
  refuse(id: RequestId, message: string): Promise<boolean>;
}

export function createApi(connection: Connection, uuid: () => string): Api {
  const ask = (what: string, method: ClientMethod, params: object, limit: number) => {
    const id = `${what}:${uuid()}`;
    return connection.request(id, { id, method, params }, limit);
  };

  return {
    async initialize(version) {
      const params: InitializeParams = {
        clientInfo: { name: 'sm', title: 'sm', version },
        capabilities: {
          experimentalApi: false,
          requestAttestation: false,
          optOutNotificationMethods: unread,
        },
      };
      const reply = await ask('initialize', 'initialize', params, limits.opening);
      // We may have died between this and the first thread.
      const done = reply.is === 'answer' || (reply.is === 'refusal' && /already/i.test(reply.message));
      if (!done) return reply;
      await connection.say({ method: 'initialized' });
      return { is: 'answer', result: {} };
    },
    open(opening, params) {
      return ask(openingId(opening), methods[opening.how], params, limits.opening);
    },
    startTurn(threadId, text) {
      const params: TurnStartParams = { threadId, input: [written(text)] };
      return ask('turn', 'turn/start', params, limits.turn);
    },
    review(threadId, message, target) {
      const params: ReviewStartParams = { threadId, target };
      return ask(`review:${message}`, 'review/start', params, limits.turn);
    },
    steer(threadId, expectedTurnId, text) {
      const params: TurnSteerParams = { threadId, expectedTurnId, input: [written(text)] };
      return ask('steer', 'turn/steer', params, limits.turn);
    },
    interrupt(threadId, turnId) {
      const params: TurnInterruptParams = { threadId, turnId };
      return ask('interrupt', 'turn/interrupt', params, limits.turn);
    },
    compact: (threadId) => ask('compact', 'thread/compact/start', { threadId }, limits.turn),
    async status(threadId) {
      const reply = await ask('status', 'thread/read', { threadId, includeTurns: false }, limits.status);
      if (reply.is !== 'answer') return null;
      const status = record(record(record(reply.result).thread).status);
      return typeof status.type === 'string' ? (status as unknown as ThreadStatus) : null;
    },
    respond: (id, result) => connection.say({ id, result }),
    refuse: (id, message) => connection.say({ id, error: { code: methodNotFound, message } }),
  };
}

/** Which message an answer began the review of, by the id of its request. */
export function reviewOf(id: RequestId): string | null {
  const [what, message] = String(id).split(':');
  return what === 'review' && message ? message : null;
}

const methods: Readonly<Record<Opening['how'], ClientMethod>> = {
  start: 'thread/start',
  clear: 'thread/start',
  resume: 'thread/resume',
  fork: 'thread/fork',
};

const written = (text: string): TextInput => ({ type: 'text', text, text_elements: [] });

const unread: UnreadMethod[] = [
  'item/agentMessage/delta',
  'item/plan/delta',
  'item/reasoning/summaryTextDelta',
  'item/reasoning/summaryPartAdded',
  'item/reasoning/textDelta',
  'item/commandExecution/outputDelta',
  'item/fileChange/outputDelta',
  'item/fileChange/patchUpdated',
  'item/mcpToolCall/progress',
  'turn/diff/updated',
  'remoteControl/status/changed',
];
