// Is the daemon there?
import { httpRequest, isAbsent } from '../../client/http.ts';
import { HttpError } from '../../client/http-error.ts';
import type { Health } from '../../protocol/health.ts';
import { unreachable } from './unreachable.ts';

/** Null when no daemon listens at the socket. */
export async function readHealth(socket: string): Promise<Health | null> {
  try {
    const { body } = await httpRequest({ socket }, { method: 'GET', path: '/health', timeoutMs: 5000 });
    return JSON.parse(body) as Health;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    // It was just starting or stopping.
    if (isAbsent(error) || error.code === 'ECONNRESET') return null;
    throw unreachable(socket, error);
  }
}
