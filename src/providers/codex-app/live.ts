// One app-server that runs: its output is followed from where it was last at rest, every line becomes facts, and
// requests find their answers there.
import { join } from 'node:path';
import type { Fact } from '../../domain/core/fact.ts';
import type { Session } from '../../domain/core/session.ts';
import type { DriverDeps } from '../../ports/driver.ts';
import { type Api, createApi } from './api.ts';
import { createConnection } from './connection.ts';
import { type Incoming, parseLine } from './incoming.ts';
import { placeIn } from './place.ts';
import type { RequestId } from './protocol.ts';
import { type AppServerReader, readAppServer, type Told } from './reader.ts';
import { pipeTransport } from './transport.ts';

export interface Live {
  readonly api: Api;
  readonly reader: AppServerReader;
  /** Whether there is a process that reads what we say. */
  reach(): Promise<boolean>;
  /** Reads to the present end of what it has said; all of that is known when this resolves. */
  catchUp(): Promise<void>;
  /** Answers the question that was told with this fact; false when it does not stand any more. */
  answer(fact: string, result: (id: RequestId) => object | null): Promise<boolean>;
  tell(fact: Fact, id: string): Promise<unknown>;
  /** The process is gone, and all that it said was read: nothing of it is needed any more. */
  settle(): void;
  close(): Promise<void>;
}

const idleLine = JSON.stringify({ method: 'initialized' });

export function attach(id: string, folder: string, deps: DriverDeps): Live {
  const { clock, log } = deps;
  const output = join(folder, 'out');
  const place = placeIn(output, join(folder, 'offset'));
  const reader = readAppServer();
  const connection = createConnection(pipeTransport(join(folder, 'in'), idleLine), clock);
  /** Which request waits for the answer to which fact. */
  const asked = new Map<string, RequestId>();
  let last: { offset: number; incoming: Incoming; told: Told[] } | null = null;
  let saving: Promise<void> = Promise.resolve();
  let nonsense = 0;
  let caughtUp = false;

  const tell = (fact: Fact, factId: string, at = clock.now()) =>
    deps.tell(id, { type: 'fact', id: factId, at, source: 'notification', fact });

  async function onLine(line: string, offset: number): Promise<void> {
    // A line whose facts could not be stored comes again, and must not be read twice.
    if (last?.offset !== offset) {
      const incoming = parseLine(line);
      last = { offset, incoming, told: reader.take(incoming) };
    }
    const { incoming, told } = last;
    if (incoming.is === 'nonsense' && line.trim() !== '') warnOfNonsense(line);
    const at = incoming.is === 'notification' ? (incoming.at ?? undefined) : undefined;
    for (const [i, { fact, asked: request, call }] of told.entries()) {
      const factId = `${id}.app@${offset}${i ? `.${i}` : ''}`;
      if (request !== undefined) asked.set(factId, request);
      const session = deps.session(id);
      const ours = asOurs(fact, session);
      if (ours?.is === 'permission-asked' && call && session)
        await tell({ ...ours, call: await deps.placeCall(call, session.workingDir) }, factId, at);
      else if (ours) await tell(ours, factId, at);
    }
    connection.hear(incoming);
    if (caughtUp) refuseWhatNobodyAnswers();
    if (told.length > 0 && reader.atRest) save(offset + Buffer.byteLength(line) + 1);
  }

  function refuseWhatNobodyAnswers(): void {
    for (const request of reader.unanswerable()) void connection.refuse(request, 'sm cannot answer this');
  }

  function warnOfNonsense(line: string): void {
    nonsense += 1;
    // One line of every power of ten: it may never stop.
    if (/^10*$/.test(String(nonsense)))
      log.warn(
        { session: id, nonsense, line: line.slice(0, 200) },
        'an app-server sent something that is not a message',
      );
  }

  /** Facts that come twice count once, so that a place which is too early does no harm. */
  function save(offset: number): void {
    saving = saving
      .then(() => place.keep(offset))
      .catch((error: unknown) => log.warn({ session: id, error: String(error) }, 'a place was not kept'));
  }

  const tail = deps.follow(output, place.from, onLine);
  const catchUp = async () => {
    await tail.catchUp();
    caughtUp = true;
    refuseWhatNobodyAnswers();
  };

  return {
    api: createApi(connection, deps.uuid),
    reader,
    reach: () => connection.notify('initialized'),
    catchUp,
    async answer(fact, result) {
      const request = asked.get(fact);
      const answer = request === undefined ? null : result(request);
      return answer !== null && connection.respond(request as RequestId, answer);
    },
    tell: (fact, factId) => tell(fact, factId),
    settle: () => save(tail.offset),
    async close() {
      connection.close();
      await tail.close();
      await saving;
    },
  };
}

/**
 * An agent inside ours has threads of its own, and what they do is its business; but what they ask is asked of the
 * human all the same.
 */
function asOurs(fact: Fact, session: Session | undefined): Fact | null {
  if (!session || !('providerId' in fact)) return null;
  const { providerId } = session.context;
  if (fact.providerId === providerId || fact.is === 'agent-started') return fact;
  return fact.is === 'permission-asked' && providerId !== null
    ? { ...fact, providerId, turnId: session.turn?.id ?? null }
    : null;
}
