// Mail on its way out: what is owed goes to the stream in the order in which it was owed, and is owed until the stream has it.
// What waits for the same node goes as one parcel, and the next one when the stream has that: so the order holds whoever fails,
// and a burst does not take a round trip for each. What is sent twice, because nobody heard that it was taken, has the same ids.
import type { Clock } from '../ports/clock.ts';
import type { FleetStore, Letter, Mail, OwedMail } from '../ports/fleet.ts';
import type { Log } from '../ports/log.ts';
import type { Line } from './link.ts';
import { mailSubject } from './names.ts';

/** Read at once. */
const page = 500;
/** In one parcel; and in bytes, unless one alone has more: NATS takes a megabyte. */
const most = 250;
const largest = 256 * 1024;
/** After a failure, in ms. */
const rest = 1_000;

export interface OutgoingDeps {
  readonly node: string;
  readonly store: FleetStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly isHere: (node: string) => boolean;
  /** Whether it would understand. */
  readonly fits: (node: string) => boolean;
  /** Whether it understands parcels of several. */
  readonly unpacks: (node: string) => boolean;
  readonly onLetter: (letter: Letter) => void;
  /** For tests: the daemon may be killed here. */
  readonly crash: (point: 'fleet:publish:before' | 'fleet:publish:after') => void;
}

export function createOutgoing(deps: OutgoingDeps) {
  const { node, store, clock, log, isHere, fits, unpacks, onLetter, crash } = deps;
  let line: Line | null = null;
  let running = false;
  let again = false;
  let timer: { cancel(): void } | null = null;
  let ending = Promise.resolve();
  let stopped = false;

  function wake(): void {
    again = true;
    if (running || stopped) return;
    running = true;
    ending = run().finally(() => {
      running = false;
      // Something may have come between the last look and now.
      if (again && !stopped) wake();
    });
  }

  async function run(): Promise<void> {
    while (again && !stopped) {
      again = false;
      timer?.cancel();
      try {
        await pass();
      } catch (error) {
        log.warn({ error: String(error) }, 'mail waits');
        timer = clock.timer(rest, wake);
        return;
      }
    }
  }

  /** All that may go now. */
  async function pass(): Promise<void> {
    let next = Number.POSITIVE_INFINITY;
    for (let after = 0; !stopped; ) {
      const owed = await store.owed(after, page);
      for (const { expiresAt } of owed)
        if (expiresAt !== null && expiresAt > clock.now()) next = Math.min(next, expiresAt);
      await Promise.all([...(await byNode(owed))].map(([to, mail]) => publishAll(to, mail)));
      if (owed.length < page) break;
      after = owed.at(-1)?.number ?? 0;
    }
    if (next < Number.POSITIVE_INFINITY) timer = clock.timer(Math.max(0, next - clock.now()), wake);
  }

  async function byNode(owed: readonly OwedMail[]): Promise<Map<string, Mail[]>> {
    const going = new Map<string, Mail[]>();
    for (const mail of owed) {
      const { node: to, expiresAt } = mail;
      // The stream may have one that was offered: of that, its node will say that it has expired.
      if (expiresAt !== null && expiresAt <= clock.now() && (await expired(mail))) continue;
      // One that may expire waits here: from here it can be taken back. So does what would not be understood.
      if (!line || !fits(to) || (expiresAt !== null && !isHere(to))) continue;
      const before = going.get(to);
      if (before) before.push(mail);
      else going.set(to, [mail]);
    }
    return going;
  }

  async function publishAll(to: string, mail: readonly Mail[]): Promise<void> {
    for (const parcel of parcels(mail, unpacks(to) ? most : 1)) {
      if (stopped || !line) return;
      await publish(line, to, parcel);
    }
  }

  async function publish({ js }: Line, to: string, parcel: readonly Mail[]): Promise<void> {
    crash('fleet:publish:before');
    const ids = parcel.map(({ id }) => id);
    await store.offer(ids);
    const texts = parcel.map(stamped);
    await js.publish(mailSubject(to, node), texts.length === 1 ? texts[0] : `[${texts.join(',')}]`, {
      msgID: `${node}.${ids[0]}.${ids.at(-1)}`,
      timeout: 5_000,
    });
    crash('fleet:publish:after');
    await store.left(ids, clock.now());
    for (const id of ids) {
      const letter = await store.letter(id);
      if (letter) onLetter(letter);
    }
  }

  /** How long a letter may still take is known only now. */
  function stamped({ body, expiresAt }: Mail): string {
    if (expiresAt === null) return body;
    return JSON.stringify({ ...JSON.parse(body), expires_in: expiresAt - clock.now() });
  }

  async function expired({ id, node: to }: Mail): Promise<boolean> {
    const letter = await store.letter(id);
    if (!letter) return false;
    const after: Letter = { ...letter, state: 'expired', why: `node ${to} did not have it in time` };
    const isBack = await store.keepBack(after);
    if (isBack) onLetter(after);
    return isBack;
  }

  return {
    wake,
    begin(at: Line): void {
      line = at;
      wake();
    },
    cut(): void {
      line = null;
    },
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await ending;
    },
  };
}

function* parcels(mail: readonly Mail[], count: number): Iterable<Mail[]> {
  let parcel: Mail[] = [];
  let bytes = 0;
  for (const each of mail) {
    const more = Buffer.byteLength(each.body);
    if (parcel.length > 0 && (parcel.length === count || bytes + more > largest)) {
      yield parcel;
      [parcel, bytes] = [[], 0];
    }
    parcel.push(each);
    bytes += more;
  }
  if (parcel.length > 0) yield parcel;
}
