// The client of the command line: it starts the daemon when it is not there, and fails in words.
import { type Client, createClient as createTypedClient } from '../../client/client.ts';
import { type HttpRequest, isAbsent } from '../../client/http.ts';
import { HttpError } from '../../client/http-error.ts';
import type { HttpResponse } from '../../client/http-response.ts';
import { Refused } from '../../client/refused.ts';
import { type Transport, transportTo } from '../../client/transport.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { refusalText } from '../text/refusal.ts';
import { statePaths } from './paths.ts';
import { unreachable } from './unreachable.ts';
import { ownVersion, versionNotice } from './versions.ts';

export type { Client } from '../../client/client.ts';

/** The daemon refused, with this code. */
export class Refusal extends Failure {
  readonly code: string;
  constructor({ code, data, message }: Refused) {
    super(refusalText(data, message));
    this.code = code;
  }
}

export function createClient(io: Io): Client {
  const client = createTypedClient(startingTransport(io), io.env.SM_CALLER);
  return {
    ...client,
    ask: (name, ...given) => client.ask(name, ...given).catch(inWords),
    async *stream(options) {
      try {
        yield* client.stream(options);
      } catch (error) {
        inWords(error);
      }
    },
  };
}

function inWords(error: unknown): never {
  throw error instanceof Refused ? new Refusal(error) : error;
}

function startingTransport(io: Io): Transport {
  const { socket } = statePaths(io);
  const transport = transportTo({ socket });
  let starting: Promise<unknown> | undefined;
  let noticed = false;

  /** Once, on standard error: standard output may be read by a program. */
  function notice({ version }: HttpResponse): void {
    if (noticed) return;
    noticed = true;
    const different = versionNotice(ownVersion(io), version);
    if (different !== null) io.err(`${different}\n`);
  }

  async function request(call: HttpRequest): Promise<HttpResponse> {
    try {
      const response = await transport.request(call);
      notice(response);
      return response;
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (!isAbsent(error)) throw unreachable(socket, error, call.method);
      if (io.env.SM_SANDBOX)
        throw new Failure(
          'The daemon has stopped, and a session in a sandbox cannot start it. Ask your user.',
          2,
        );
      if (call.start === false) throw new Failure('The daemon has stopped. Start it with: sm up', 2);
    }
    const { startDaemon } = await import('./start.ts');
    // Of several requests at once, one starts it.
    await (starting ??= startDaemon(io).finally(() => (starting = undefined)));
    return request({ ...call, start: false });
  }

  return { ...transport, request };
}
