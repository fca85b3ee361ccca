// What we ask of an agent that speaks the Agent Client Protocol. The id of a request is what its note goes by, so that
// whoever reads the answer knows what was asked, also after a restart of ours.
import type { Connection, Reply, RequestId } from '../../headless/connection.ts';
import type { Once } from '../../headless/once.ts';
import { type Opening, openingId } from '../../headless/opening.ts';
import type {
  AgentMethod,
  InitializeRequest,
  LoadSessionRequest,
  McpServer,
  NewSessionRequest,
  PromptRequest,
  RequestPermissionResponse,
  SetSessionConfigOptionRequest,
} from './protocol.ts';
import { version } from './protocol.ts';
import type { Note, Prompt } from './reader.ts';

const methodNotFound = -32601;
const limits = { hello: 60_000, opening: 60_000, setting: 10_000, here: 1_500 };

interface Place {
  readonly cwd: string;
  readonly mcpServers: McpServer[];
}

export interface Api {
  /** `process`: tells this process from the one before. */
  initialize(process: number, ownVersion: string): Promise<Reply>;
  /** `which`: of all openings of this kind; `load`: the conversation that is taken up again. */
  open(opening: Opening, which: string, place: Place, load?: string): Promise<Reply>;
  /** False: it could not be handed over. The agent is given the same id only once. */
  prompt(id: string, conversation: string, text: string, messages: readonly string[]): Promise<boolean>;
  /** One of its own, which carries no message. */
  command(id: string, conversation: string, text: string): Promise<boolean>;
  isOnItsWay(id: string): boolean;
  cancel(conversation: string): Promise<boolean>;
  close(conversation: string): Promise<boolean>;
  set(conversation: string, setting: string, value: string): Promise<Reply>;
  /** Answered at once by an agent that reads, whatever it answers; what it has said before is in its output by then. */
  isHere(): Promise<boolean>;
  respond(id: RequestId, response: RequestPermissionResponse): Promise<boolean>;
  refuse(id: RequestId, message: string): Promise<boolean>;
}

/** `after`: how much the agent has said so far. */
export function createApi(
  connection: Connection,
  once: Once<Note>,
  uuid: () => string,
  after: () => number,
): Api {
  const message = (method: AgentMethod, params: object, id?: string) => ({
    ...{ jsonrpc: '2.0', method, params },
    ...(id !== undefined && { id }),
  });
  const ask = (method: AgentMethod, params: object, limit: number) => {
    const id = `${method}:${uuid()}`;
    return connection.request(id, message(method, params, id), limit);
  };
  async function askOnce(id: string, method: AgentMethod, params: object, note: Note, limit: number) {
    const answer = connection.answerTo(id, limit);
    const went = await once.tell(id, message(method, params, id), note);
    return went ? answer : ({ is: 'gone' } as const);
  }

  function prompt(id: string, text: string, note: Prompt): Promise<boolean> {
    const params: PromptRequest = { sessionId: note.conversation, prompt: [{ type: 'text', text }] };
    return once.tell(id, message('session/prompt', params, id), note);
  }

  return {
    initialize(process, ownVersion) {
      const params: InitializeRequest = {
        protocolVersion: version,
        clientInfo: { name: 'sm', version: ownVersion },
        clientCapabilities: {
          fs: { readTextFile: false, writeTextFile: false },
          terminal: false,
          session: { compaction: {} },
        },
      };
      const note = { what: 'hello', after: after() } as const;
      return askOnce(`hello:${process}`, 'initialize', params, note, limits.hello);
    },
    open(opening, which, place, load) {
      const id = `${openingId(opening)}:${which}`;
      const note = { what: 'open', conversation: load ?? null, after: after() } as const;
      const fresh: NewSessionRequest = place;
      if (load === undefined) return askOnce(id, 'session/new', fresh, note, limits.opening);
      const again: LoadSessionRequest = { ...place, sessionId: load };
      return askOnce(id, 'session/load', again, note, limits.opening);
    },
    prompt: (id, conversation, text, messages) =>
      prompt(id, text, { what: 'prompt', conversation, text, messages, after: after() }),
    command: (id, conversation, text) => prompt(id, text, { what: 'compact', conversation, after: after() }),
    isOnItsWay: (id) => once.notes.has(id),
    cancel: (sessionId) => connection.say(message('session/cancel', { sessionId })),
    close: (sessionId) => connection.say(message('session/close', { sessionId }, `close:${uuid()}`)),
    set(sessionId, configId, value) {
      const params: SetSessionConfigOptionRequest = { sessionId, configId, value };
      return ask('session/set_config_option', params, limits.setting);
    },
    async isHere() {
      const reply = await ask('_sm/here', {}, limits.here);
      return reply.is === 'answer' || reply.is === 'refusal';
    },
    respond: (id, result) => connection.say({ jsonrpc: '2.0', id, result }),
    refuse: (id, words) =>
      connection.say({ jsonrpc: '2.0', id, error: { code: methodNotFound, message: words } }),
  };
}
