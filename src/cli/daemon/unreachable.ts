// A daemon that did not answer, in words.
import type { HttpError } from '../../client/http-error.ts';
import { Failure } from '../failure.ts';

export function unreachable(socket: string, error: HttpError, method = 'GET'): Failure {
  const why =
    error.code === 'ECONNRESET' || error.code === 'EPIPE'
      ? `The daemon stopped before it answered${method === 'GET' ? '' : '; your request may or may not be done'}. See: sm logs`
      : error.code === 'ETIMEDOUT'
        ? 'The daemon does not respond. See: sm logs'
        : `Cannot reach the daemon at ${socket}: ${error.message}. Check with: sm doctor`;
  return new Failure(why, 2);
}
