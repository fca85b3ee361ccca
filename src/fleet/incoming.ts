// Mail on its way in, in the order of the stream: what has come is stored together by whoever it is for, and only then acknowledged.
// The consumer is made anew with each connection: what was not acknowledged comes again, first and in order.
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  type JsMsg,
  jetstreamManager,
} from '@nats-io/jetstream';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type MailBody, mailBody } from '../protocol/node.ts';
import type { Line } from './link.ts';
import { mailStream, speakerIn } from './names.ts';
import { parsed } from './presence.ts';

/** In ms. */
const rest = 1_000;
const minute = 60_000_000_000;
/** Pieces that may be on their way to us; so many are taken together at most. */
const most = 100;

/** One thing that another node has sent. */
export interface Incoming {
  readonly from: string;
  readonly mail: MailBody;
}

export interface IncomingDeps {
  readonly node: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Resolves when all of it is stored; rejects when some could not be, and is asked again with all. */
  readonly take: (incoming: readonly Incoming[]) => Promise<void>;
  /** For tests: the daemon may be killed here. */
  readonly crash: (point: 'fleet:take:before' | 'fleet:take:after') => void;
}

export function createIncoming({ node, clock, log, take, crash }: IncomingDeps) {
  async function listen({ nats, js, cut }: Line): Promise<void> {
    await makeConsumer(nats);
    const consumer = await js.consumers.get(mailStream, node);
    const messages = await consumer.consume({ max_messages: most });
    cut.addEventListener('abort', () => messages.stop());
    const waiting: JsMsg[] = [];
    let isWorking = false;
    for await (const message of messages) {
      waiting.push(message);
      // What comes while some of it is stored is stored together, after it.
      if (!isWorking) void work();
    }

    async function work(): Promise<void> {
      isWorking = true;
      while (waiting.length > 0 && !cut.aborted) {
        const group = waiting.splice(0, most);
        await handle(group, cut);
      }
      isWorking = false;
    }
  }

  /** One that has handed nothing out yet: an old one would keep back what it handed to a connection that is gone. */
  async function makeConsumer(nats: Line['nats']): Promise<void> {
    const { consumers } = await jetstreamManager(nats);
    for (;;) {
      await consumers.delete(mailStream, node).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
      const { delivered, num_ack_pending: pending } = await consumers.add(mailStream, {
        durable_name: node,
        filter_subject: `sm.mail.${node}.*`,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: DeliverPolicy.All,
        // Longer than any piece may take: a connection that is lost is what makes it come again.
        ack_wait: 60 * minute,
      });
      if (delivered.consumer_seq === 0 && pending === 0) return;
    }
  }

  async function handle(group: readonly JsMsg[], cut: AbortSignal): Promise<void> {
    const incoming = group.flatMap(unpacked);
    while (!cut.aborted) {
      try {
        crash('fleet:take:before');
        await take(incoming);
        crash('fleet:take:after');
        for (const message of group) message.ack();
        return;
      } catch (error) {
        log.error({ pieces: incoming.length, error: String(error) }, 'mail was not stored; trying again');
        await new Promise<void>((resolve) => clock.timer(rest, resolve));
      }
    }
  }

  /** One piece of mail, or a parcel of several. */
  function unpacked(message: JsMsg): Incoming[] {
    const from = speakerIn(message.subject);
    return [parsed(message.string())].flat().flatMap((piece) => {
      const body = mailBody.safeParse(piece);
      if (body.success) return [{ from, mail: body.data }];
      log.warn({ from, error: body.error.message }, 'mail from another node makes no sense, and is dropped');
      return [];
    });
  }

  return {
    begin(line: Line): void {
      void listen(line).catch((error: unknown) => {
        if (!line.cut.aborted) log.warn({ error: String(error) }, 'cannot listen for mail');
        // A new connection begins again.
        void line.nats.close();
      });
    },
  };
}

const consumerNotFound = 10_014;
const isNotFound = (error: unknown): boolean =>
  error instanceof JetStreamApiError && error.code === consumerNotFound;
