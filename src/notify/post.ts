// One POST to a service outside, within a time, and what came of it in words that hold no secret.
import type { Clock } from '../ports/clock.ts';
import type { Sent } from '../ports/notifications.ts';

const timeLimit = 10_000;

export interface Post {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
  /** What must not be said. */
  readonly secrets: readonly string[];
}

export async function post(
  { url, headers, body, secrets }: Post,
  clock: Clock,
  signal: AbortSignal,
): Promise<Sent> {
  const { host } = new URL(url);
  const over = new AbortController();
  const stop = () => over.abort();
  signal.addEventListener('abort', stop);
  if (signal.aborted) stop();
  const timer = clock.timer(timeLimit, stop);
  try {
    const answer = await fetch(url, {
      method: 'POST',
      body,
      // Where it is sent on to is not where the user wants it to go.
      redirect: 'manual',
      signal: over.signal,
      ...(headers && { headers }),
    });
    const said = (await answer.text()).split('\n')[0]?.trim().slice(0, 200) ?? '';
    if (answer.ok) return { is: 'done' };
    const why = `${host} answered ${answer.status}${said === '' ? '' : `: ${said}`}`;
    return {
      is: 'failed',
      why: withoutSecrets(why, secrets),
      status: answer.status,
      ...whetherAgain(answer),
    };
  } catch (error) {
    const why = signal.aborted
      ? 'the daemon stopped'
      : over.signal.aborted
        ? tooLong(host)
        : unreachable(host, error);
    return { is: 'failed', why: withoutSecrets(why, secrets), again: true };
  } finally {
    timer.cancel();
    signal.removeEventListener('abort', stop);
  }
}

/** Too many, or a fault on the other side: that may pass. Everything else stays as it is. */
function whetherAgain({ status, headers }: Response): { again: boolean; afterMs?: number } {
  const again = status === 408 || status === 429 || status >= 500;
  const seconds = Number(headers.get('retry-after'));
  return { again, ...(again && seconds > 0 && { afterMs: seconds * 1_000 }) };
}

const tooLong = (host: string) => `${host} did not answer within ${timeLimit / 1_000} s`;

function unreachable(host: string, error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string }; message: string };
  return `cannot reach ${host}: ${cause?.code ?? message}`;
}

export const withoutSecrets = (text: string, secrets: readonly string[]): string =>
  secrets.reduce((rest, secret) => (secret === '' ? rest : rest.replaceAll(secret, '…')), text);
