// One agent without a terminal that runs: its output is followed from where it was last at rest, every line becomes
// facts, and requests find their answers there.
import { join } from 'node:path';
import type { Fact } from '../domain/core/fact.ts';
import type { Session } from '../domain/core/session.ts';
import type { DriverDeps } from '../ports/driver.ts';
import { type Connection, createConnection, type RequestId } from './connection.ts';
import { placeIn } from './place.ts';
import type { Line, Reader, Told } from './reader.ts';
import { fileTransport } from './transport.ts';

export interface Live<R extends Reader = Reader> {
  readonly reader: R;
  readonly connection: Connection;
  /** Reads to the present end of what it has said; all of that is known when this resolves. */
  catchUp(): Promise<void>;
  /** The request that waits for the answer to the question that was told with this fact. */
  asked(fact: string): RequestId | undefined;
  tell(fact: Fact, id: string): Promise<unknown>;
  /** Tells what is of an earlier line, and whose time has come. */
  tellOf(told: readonly (Told & { readonly of: number })[]): Promise<void>;
  /** What was last at rest is kept as such: nothing before it will be read again. */
  saved(): Promise<void>;
  /** The process is gone, and all that it said was read: nothing of it is needed any more. */
  settle(): void;
  close(): Promise<void>;
}

interface Ends<R extends Reader> {
  readonly folder: string;
  readonly reader: R;
  /** Something was said just now, and nothing behind it that would have been read already. */
  readonly onHeard?: (live: Live<R>) => void;
  /** All that was read is told, and is about to be kept as read. */
  readonly onSettled?: () => Promise<void>;
}

export function attach<R extends Reader>(id: string, ends: Ends<R>, deps: DriverDeps): Live<R> {
  const { clock, log } = deps;
  const { folder, reader } = ends;
  const output = join(folder, 'out');
  const place = placeIn(output, join(folder, 'offset'));
  const connection = createConnection(fileTransport(folder), clock, deps.uuid);
  /** Which request waits for the answer to which fact. */
  const asked = new Map<string, RequestId>();
  let last: { offset: number; wasAtRest: boolean; line: Line } | null = null;
  let saving: Promise<void> = Promise.resolve();
  let nonsense = 0;
  let caughtUp = false;

  const tell = (fact: Fact, factId: string, at = clock.now()) =>
    deps.tell(id, { type: 'fact', id: factId, at, source: 'notification', fact });

  const factIdOf = (place: string) => `${id}.app@${place}`;
  /** A question that has waited for its turn is still that of its own line. */
  const askedAt = (offset: number) => `${offset}.asked`;

  async function onLine(text: string, offset: number): Promise<void> {
    // A line whose facts could not be stored comes again, and must not be read twice.
    if (last?.offset !== offset) last = { offset, wasAtRest: reader.atRest, line: reader.line(text, offset) };
    const { line, wasAtRest } = last;
    if (line.asks !== undefined) asked.set(factIdOf(askedAt(offset)), line.asks);
    if (line.nonsense && text.trim() !== '') warnOfNonsense(text);
    for (const [i, told] of line.told.entries())
      await tellOne(told, told.of === undefined ? `${offset}${i ? `.${i}` : ''}` : askedAt(told.of), line.at);
    if (line.answers) connection.hear(line.answers.id, line.answers.heard);
    if (reader.atRest && (!wasAtRest || line.told.length > 0)) save(offset + Buffer.byteLength(text) + 1);
    if (caughtUp) ends.onHeard?.(live);
  }

  async function tellOne({ fact, asked: request, call }: Told, place: string, time?: number | null) {
    const at = time ?? undefined;
    const factId = factIdOf(place);
    if (request !== undefined) asked.set(factId, request);
    const session = deps.session(id);
    const ours = asOurs(fact, session);
    if (ours?.is === 'permission-asked' && call && session)
      await tell({ ...ours, call: await deps.placeCall(call, session.workingDir) }, factId, at);
    else if (ours) await tell(ours, factId, at);
  }

  function warnOfNonsense(text: string): void {
    nonsense += 1;
    // One line of every power of ten: it may never stop.
    if (/^10*$/.test(String(nonsense)))
      log.warn(
        { session: id, nonsense, line: text.slice(0, 200) },
        'an agent sent something that is not a message',
      );
  }

  /** Facts that come twice count once, so that a place which is too early does no harm. */
  function save(offset: number): void {
    saving = saving
      .then(() => ends.onSettled?.())
      .then(() => place.keep(offset))
      .catch((error: unknown) => log.warn({ session: id, error: String(error) }, 'a place was not kept'));
  }

  const tail = deps.follow(output, place.from, onLine);
  const live: Live<R> = {
    reader,
    connection,
    async catchUp() {
      await tail.catchUp();
      caughtUp = true;
      ends.onHeard?.(live);
    },
    asked: (fact) => asked.get(fact),
    tell: (fact, factId) => tell(fact, factId),
    async tellOf(told) {
      for (const each of told) await tellOne(each, askedAt(each.of));
    },
    saved: () => saving,
    settle: () => save(tail.offset),
    async close() {
      connection.close();
      await tail.close();
      await saving;
    },
  };
  return live;
}

/**
 * An agent inside ours has conversations of its own, and what they do is its business; but what they ask is asked of
 * the human all the same.
 */
function asOurs(fact: Fact, session: Session | undefined): Fact | null {
  if (!session) return null;
  // It is of the account, not of a conversation.
  if (fact.is === 'limits') return fact;
  if (!('providerId' in fact)) return null;
  const { providerId } = session.context;
  if (fact.providerId === providerId || fact.is === 'agent-started') return fact;
  return fact.is === 'permission-asked' && providerId !== null
    ? { ...fact, providerId, turnId: session.turn?.id ?? null }
    : null;
}
