// The requests to opencode's server, typed. The id of a request says what it was for, so that whoever reads the answer
// knows it, also after a restart of ours.
import type { Connection, Reply } from '../../headless/connection.ts';
import { type Opening, openingId } from '../../headless/opening.ts';
import { record, text } from '../values.ts';
import { type Request, windowsPath } from './wire.ts';

const limits = { start: 120_000, opening: 30_000, request: 10_000, status: 1_500 };

export interface Model {
  readonly providerID: string;
  readonly modelID: string;
}

export interface Api {
  /** Answered when the server is up. */
  hello(): Promise<Reply>;
  open(opening: Opening, from: string | null, settings: object): Promise<Reply>;
  /** The terminal goes there. */
  show(conversation: string): Promise<Reply>;
  /** Done once for each `attempt`. */
  prompt(conversation: string, attempt: string, words: string, model: Model | null): Promise<Reply>;
  abort(conversation: string): Promise<Reply>;
  compact(conversation: string): Promise<Reply>;
  /** Which conversations are busy; null when it does not answer. */
  busy(): Promise<readonly string[] | null>;
  windows(): Promise<Reply>;
  remove(conversation: string, message: string): Promise<boolean>;
  respond(path: string, body: object): Promise<Reply>;
}

export function createApi(connection: Connection, uuid: () => string): Api {
  type Rest = Omit<Request, 'id'>;
  const ask = (what: string, request: Rest, limit = limits.request) => {
    const id = `${what}:${uuid()}`;
    return connection.request(id, { id, ...request }, limit);
  };
  const post = (what: string, path: string, body: object, limit?: number) =>
    ask(what, { method: 'POST', path, body }, limit);

  return {
    hello: () => ask('hello', { method: 'GET', path: '/global/health' }, limits.start),
    open(opening, from, settings) {
      const what = openingId(opening);
      if (opening.how === 'resume')
        return ask(what, { method: 'GET', path: `/session/${from}` }, limits.opening);
      return post(
        what,
        opening.how === 'fork' ? `/session/${from}/fork` : '/session',
        settings,
        limits.opening,
      );
    },
    show: (sessionID) => post('show', '/tui/select-session', { sessionID }),
    prompt(conversation, attempt, words, model) {
      const path = `/session/${conversation}/prompt_async`;
      const body = { ...(model && { model }), parts: [{ type: 'text', text: words }] };
      return ask('prompt', { method: 'POST', path, body, once: attempt, isPrompt: true });
    },
    abort: (conversation) => post('abort', `/session/${conversation}/abort`, {}),
    async compact(conversation) {
      const known = await ask('session', { method: 'GET', path: `/session/${conversation}` });
      if (known.is !== 'answer') return known;
      const { id: modelID, providerID } = record(record(known.result).model);
      if (text(modelID) === null) return { is: 'refusal', message: 'nothing was said in it yet' };
      const body = { providerID, modelID };
      // It answers only when it is done. That it began is told.
      const request = { method: 'POST', path: `/session/${conversation}/summarize`, body };
      const said = await connection.say({ id: `compact:${uuid()}`, ...request });
      return said ? { is: 'answer', result: {} } : { is: 'gone' };
    },
    async busy() {
      const reply = await ask('status', { method: 'GET', path: '/session/status' }, limits.status);
      return reply.is === 'answer' ? Object.keys(record(reply.result)) : null;
    },
    windows: () => ask('windows', { method: 'GET', path: windowsPath }),
    remove: (conversation, message) =>
      connection.say({
        ...{ id: `remove:${uuid()}`, method: 'DELETE' },
        path: `/session/${conversation}/message/${message}`,
      }),
    respond: (path, body) => post('respond', path, body),
  };
}
