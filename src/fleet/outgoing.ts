// Mail on its way out: what is owed goes to the stream in the order in which it was owed, and is owed until the stream has it.
// What is sent twice, because nobody heard that it was taken, has the same id.
import type { Clock } from '../ports/clock.ts';
import type { FleetStore, Letter, Mail } from '../ports/fleet.ts';
import type { Log } from '../ports/log.ts';
import type { Line } from './link.ts';
import { mailSubject } from './names.ts';

/** Read at once. */
const page = 200;
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
  readonly onLetter: (letter: Letter) => void;
  /** For tests: the daemon may be killed here. */
  readonly crash: (point: 'fleet:publish:before' | 'fleet:publish:after') => void;
}

export function createOutgoing({ node, store, clock, log, isHere, fits, onLetter, crash }: OutgoingDeps) {
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

  /** All that may go now, in order. */
  async function pass(): Promise<void> {
    const owed = await store.owed(page);
    let next = Number.POSITIVE_INFINITY;
    for (const mail of owed) {
      if (stopped) return;
      if (mail.expiresAt !== null && mail.expiresAt <= clock.now()) {
        await expire(mail);
        continue;
      }
      if (mail.expiresAt !== null) next = Math.min(next, mail.expiresAt);
      // One that may expire waits here: from here it can be taken back. So does what would not be understood.
      if (!line || !fits(mail.node) || (mail.expiresAt !== null && !isHere(mail.node))) continue;
      await publish(line, mail);
    }
    if (owed.length === page && line) again = true;
    if (next < Number.POSITIVE_INFINITY) timer = clock.timer(Math.max(0, next - clock.now()), wake);
  }

  async function publish({ js }: Line, mail: Mail): Promise<void> {
    crash('fleet:publish:before');
    await js.publish(mailSubject(mail.node, node), stamped(mail), {
      msgID: `${node}.${mail.id}`,
      timeout: 5_000,
    });
    crash('fleet:publish:after');
    await store.left([mail.id], clock.now());
    const letter = await store.letter(mail.id);
    if (letter) onLetter(letter);
  }

  /** How long a letter may still take is known only now. */
  function stamped({ body, expiresAt }: Mail): string {
    if (expiresAt === null) return body;
    return JSON.stringify({ ...JSON.parse(body), expires_in: expiresAt - clock.now() });
  }

  async function expire({ id, node: to }: Mail): Promise<void> {
    const letter = await store.letter(id);
    if (!letter) return store.left([id], clock.now());
    const expired: Letter = { ...letter, state: 'expired', why: `node ${to} did not have it in time` };
    if (await store.keepBack(expired)) onLetter(expired);
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
