// Talks to the daemon, and starts it when it is not there.
import { HttpError, httpRequest, isAbsent } from '../../client/http.ts';
import type { HttpResponse } from '../../client/http-response.ts';
import type { ErrorView } from '../../protocol/refusal.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { statePaths } from './paths.ts';
import { unreachable } from './unreachable.ts';
import { ownVersion, versionNotice } from './versions.ts';

export interface Client {
  get<Answer>(path: string, options?: RequestOptions): Promise<Answer>;
  send<Answer>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, body: unknown): Promise<Answer>;
}

export interface RequestOptions {
  /** How long the daemon may keep the answer back. */
  readonly waitSeconds?: number;
  /** False for those who watch: they must not bring back a daemon that was told to stop. */
  readonly start?: boolean;
}

/** The daemon refused; `status` is that of its answer. */
export class Refusal extends Failure {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const patienceSeconds = 30;

export function createClient(io: Io): Client {
  const paths = statePaths(io);
  let starting: Promise<unknown> | undefined;
  let noticed = false;

  /** Once, and never among what is printed for programs. */
  function notice({ version }: HttpResponse): void {
    if (noticed) return;
    noticed = true;
    const different = versionNotice(ownVersion(io), version);
    if (different !== null) io.err(`${different}\n`);
  }

  async function request<Answer>(
    method: string,
    path: string,
    body: unknown,
    { waitSeconds = 0, start = true }: RequestOptions = {},
  ): Promise<Answer> {
    const timeoutMs = (patienceSeconds + waitSeconds) * 1000;
    const call = { method, path, body, caller: io.env.SM_CALLER, timeoutMs };
    try {
      const response = await httpRequest(paths, call);
      notice(response);
      return answerOf(response);
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      if (!isAbsent(error)) throw unreachable(paths.socket, error, method);
      if (!start) throw new Failure('The daemon has stopped. Start it with: sm up', 2);
    }
    const { startDaemon } = await import('./start.ts');
    // Of several requests at once, one starts it.
    await (starting ??= startDaemon(io).finally(() => (starting = undefined)));
    return request(method, path, body, { waitSeconds, start: false });
  }

  return {
    get: (path, options) => request('GET', path, undefined, options),
    send: (method, path, body) => request(method, path, body),
  };
}

/** `/sessions/REF/rest`, whatever the name of the session. */
export function sessionPath(ref: string, rest = ''): string {
  // Even escaped, these would be resolved as steps of the path.
  if (ref === '' || ref === '.' || ref === '..' || ref.length > 200)
    throw new Failure(`No session "${ref}". See: sm all`);
  return `/sessions/${encodeURIComponent(ref)}${rest}`;
}

/** `/messages/ID/rest`; the id may be given as it is shown, with a #. */
export function messagePath(id: string, rest = ''): string {
  const bare = id.replace(/^#/, '');
  if (bare === '' || bare === '.' || bare === '..' || bare.length > 100)
    throw new Failure(`No message "${id}". See: sm queue SESSION`);
  return `/messages/${encodeURIComponent(bare)}${rest}`;
}

export function query(values: Record<string, string | number | boolean>): string {
  const pairs = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `?${pairs.join('&')}`;
}

function answerOf<Answer>({ status, body }: { status: number; body: string }): Answer {
  const answer = parse(body);
  if (status < 400 && answer !== undefined) return answer as Answer;
  const { detail, error } = (answer ?? {}) as Partial<ErrorView>;
  throw new Refusal(
    status,
    String(detail ?? error ?? `The daemon answered ${status}: ${body.slice(0, 200)}`),
  );
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
