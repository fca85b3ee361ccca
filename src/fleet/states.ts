// Tells other nodes what became of the messages that came from them. The history is the source: what happened after the mark is
// owed as mail, in one transaction with the new mark, so that nothing is left out and nothing told twice.
import type { MessageId, SessionId } from '../domain/core/names.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Mail, Parked } from '../ports/fleet.ts';
import type { Log } from '../ports/log.ts';
import type { Store, StoredEvent } from '../ports/store.ts';
import type { EventView } from '../protocol/event.ts';

const page = 200;
/** After a failure, in ms. */
const rest = 1_000;
/** What may still change. */
const open: ReadonlySet<string> = new Set(['queued', 'held', 'typed', 'accepted']);

export interface StatesDeps {
  readonly store: Store;
  readonly engine: Engine;
  readonly clock: Clock;
  readonly log: Log;
  readonly view: (event: StoredEvent) => EventView;
  /** Why nothing is under way for a message that waits; null: something is. */
  readonly parked: (session: SessionId, message: MessageId) => Parked | null;
  /** There is new mail. */
  readonly wake: () => void;
}

export function createStates({ store, engine, clock, log, view, parked, wake }: StatesDeps) {
  let expected = new Map<MessageId, string>();
  let mark = 0;
  let working = Promise.resolve();
  let stopped = false;

  async function load(): Promise<void> {
    expected = new Map(await store.fleet.expected());
    const known = await store.fleet.mark();
    mark = known ?? (await store.events({ after: 0, limit: 1, last: true })).at(-1)?.number ?? 0;
    if (known === null) await store.fleet.tell(mark, [], []);
  }

  async function readOn(): Promise<void> {
    for (let more = true; more && !stopped; ) {
      const events = await store.events({ after: mark, limit: page });
      more = events.length === page;
      const last = events.at(-1);
      if (!last) return;
      const mail: Mail[] = [];
      const over: MessageId[] = [];
      for (const event of events) {
        const { body } = event;
        if (body.type !== 'message') continue;
        const node = expected.get(body.message);
        if (node === undefined) continue;
        mail.push(told(event, body.message, node));
        if (!open.has(body.state)) over.push(body.message);
      }
      // A mark that moves for nothing costs a commit; what is read again then is told again to nobody.
      if (mail.length > 0) await store.fleet.tell(last.number, mail, over);
      mark = last.number;
      for (const message of over) expected.delete(message);
      if (mail.length > 0) wake();
    }
  }

  const told = (event: StoredEvent, message: MessageId, node: string): Mail => ({
    id: `t${event.number}`,
    node,
    body: JSON.stringify({
      kind: 'told',
      message,
      event: view(event),
      parked: parked(event.sessionId, message),
    }),
    expiresAt: null,
  });

  function look(): void {
    working = working.then(readOn).catch((error: unknown) => {
      log.error({ error: String(error) }, 'cannot read what other nodes are to be told');
      if (!stopped) clock.timer(rest, look);
    });
  }

  const off = engine.onCommit((_, events) => {
    if (events.some(({ body }) => body.type === 'message' && expected.has(body.message))) look();
  });

  return {
    async start(): Promise<void> {
      await load();
      look();
    },
    /** Before these messages are taken in: what happens to them from then on is told. */
    async expect(messages: ReadonlyMap<MessageId, string>): Promise<void> {
      await store.fleet.expect(messages);
      for (const [message, node] of messages) expected.set(message, node);
    },
    /** They were not taken in. */
    async unexpect(messages: readonly MessageId[]): Promise<void> {
      await store.fleet.unexpect(messages);
      for (const message of messages) expected.delete(message);
    },
    async stop(): Promise<void> {
      stopped = true;
      off();
      await working;
    },
  };
}
