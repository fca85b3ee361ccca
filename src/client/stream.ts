// The live stream of events, over any number of connections: each goes on where the last one ended.
import type { StreamItem } from '../protocol/event.ts';
import type { ScreenItem } from '../protocol/session.ts';
import { filledPath, queryText } from './path.ts';
import { Refused, refusedBy } from './refused.ts';
import type { OpenAnswer, Transport } from './transport.ts';

export interface StreamOptions {
  /** The number of the last event that is known; without it, from now on. */
  readonly after?: number;
  readonly session?: string;
  /** All sessions at first, and each one that changes. */
  readonly views?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * `away`: nothing is heard at present. It is said once; `connected` follows when something is heard again. `why`: we took
 * nothing for too long (`slow`), the daemon stops, or nobody knows (`lost`).
 */
export type LiveItem =
  | Exclude<StreamItem, { is: 'end' }>
  | { readonly is: 'away'; readonly why: Extract<StreamItem, { is: 'end' }>['why'] | 'lost' };

/** The daemon gives a sign of life every 15 s. */
const longestSilence = 45_000;
/** Between two tries, in ms. */
const [firstPause, longestPause] = [50, 800];

export async function* openStream(
  transport: Transport,
  { after, session, views, signal }: StreamOptions,
  caller: string | undefined,
): AsyncGenerator<LiveItem, void> {
  const path = `/events${queryText({ session, views })}`;
  let last = after;
  let isAway = false;
  for (let pause = firstPause; !signal?.aborted; pause = Math.min(pause * 2, longestPause)) {
    const headers = {
      accept: 'text/event-stream',
      ...(last !== undefined && { 'last-event-id': String(last) }),
    };
    let why: Extract<LiveItem, { is: 'away' }>['why'] = 'lost';
    try {
      const answer = await transport.open({ path, headers, caller, silenceMs: longestSilence, signal });
      if (answer.status !== 200) await refuse(answer);
      for await (const { id, item } of itemsIn<StreamItem>(answer.pieces)) {
        last = id ?? last;
        if (item.is === 'end') {
          why = item.why;
          break;
        }
        if (item.is === 'connected') {
          pause = firstPause;
          isAway = false;
        }
        yield item;
      }
    } catch (error) {
      if (!isBreak(error)) throw error;
    }
    if (signal?.aborted) return;
    if (!isAway) yield { is: 'away', why };
    isAway = true;
    await rest(pause, signal);
  }
}

/** What a pane shows, and each change of it, until it is gone or the connection ends. */
export async function* openScreen(
  transport: Transport,
  ref: string,
  caller: string | undefined,
  signal?: AbortSignal,
): AsyncGenerator<ScreenItem, void> {
  const path = filledPath('/sessions/{ref}/screen', { ref });
  const headers = { accept: 'text/event-stream' };
  try {
    const answer = await transport.open({ path, headers, caller, silenceMs: longestSilence, signal });
    if (answer.status !== 200) await refuse(answer);
    for await (const { item } of itemsIn<ScreenItem>(answer.pieces)) yield item;
  } catch (error) {
    if (!isBreak(error) && !signal?.aborted) throw error;
  }
}

/** Ends early with the signal. A browser runs this too, so that node's own timers are not for it. */
function rest(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(over, ms);
    signal?.addEventListener('abort', over);
    function over(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', over);
      resolve();
    }
  });
}

/** What cannot be served now may be later; what is refused is refused. */
async function refuse({ status, pieces }: OpenAnswer): Promise<void> {
  let body = '';
  for await (const piece of pieces) body += piece;
  if (status < 500) throw refusedBy(status, body);
}

/** The connection ended, or there was none. */
function isBreak(error: unknown): boolean {
  return !(error instanceof Refused) && typeof (error as NodeJS.ErrnoException).code === 'string';
}

/** A piece may hold several items, or a part of one. */
async function* itemsIn<Item>(
  pieces: AsyncIterable<string>,
): AsyncGenerator<{ readonly id: number | undefined; readonly item: Item }> {
  let rest = '';
  for await (const piece of pieces) {
    const blocks = (rest + piece).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const id = /^id: (\d+)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data !== undefined)
        yield { id: id === undefined ? undefined : Number(id), item: JSON.parse(data) as Item };
    }
  }
}
