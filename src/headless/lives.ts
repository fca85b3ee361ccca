// All agents of one kind without a terminal: who is connected, how one that was launched is greeted, and the half of
// their driver that is the same for every kind.
import type { Typed } from '../domain/core/effect.ts';
import type { Session } from '../domain/core/session.ts';
import type { DriverDeps, ListeningDriver } from '../ports/driver.ts';
import type { Reply } from './connection.ts';
import type { Live } from './live.ts';

export interface Lives<L extends Live> {
  of(session: Session): L | undefined;
  /**
   * One that has just been launched: waits until it reads, then `greet` says why it will never take a prompt. Null
   * otherwise, also when the process has ended meanwhile.
   */
  begin(session: Session, greet: (live: L) => Promise<string | null>): Promise<string | null>;
  /** What the agent's answer to a request means for what was to be typed. */
  told(session: Session, reply: Reply): Typed;
  readonly driver: Pick<
    ListeningDriver,
    'attend' | 'leave' | 'catchUp' | 'close' | 'press' | 'leaveCopyMode'
  >;
}

const typed: Record<Reply['is'], Typed> = {
  answer: 'typed',
  refusal: 'changed',
  silence: 'unknown',
  gone: 'gone',
};
const reachLimit = 5_000;
const pause = 25;

/** `called`: what a process of this kind is, in a sentence. */
export function keepLives<L extends Live>(
  called: string,
  attach: (session: Session) => L,
  deps: DriverDeps,
): Lives<L> {
  const { clock, log, isDead } = deps;
  const lives = new Map<string, L>();

  function connect(session: Session): L {
    const live = lives.get(session.id) ?? attach(session);
    lives.set(session.id, live);
    return live;
  }

  function drop(id: string): void {
    const live = lives.get(id);
    if (!live) return;
    lives.delete(id);
    void live
      .catchUp()
      .then(live.settle)
      .catch((error: unknown) => log.warn({ session: id, error: String(error) }, 'not read to its end'))
      .then(() => live.close());
  }

  async function reached(live: L): Promise<string | null> {
    for (let waited = 0; !(await live.connection.reach()); waited += pause) {
      if (waited > reachLimit) return `${called} does not read what it is told`;
      await sleep(pause);
    }
    return null;
  }

  const sleep = (ms: number) => new Promise<void>((resolve) => clock.timer(ms, resolve));

  return {
    of: ({ id }) => lives.get(id),
    async begin(session, greet) {
      // What was open to an earlier process leads nowhere.
      await lives.get(session.id)?.close();
      lives.delete(session.id);
      const live = connect(session);
      let over = false;
      const died = async (): Promise<null> => {
        while (!over && !(await isDead(session))) await sleep(10 * pause);
        return null;
      };
      const ready = reached(live).then((why) => why ?? greet(live));
      const why = await Promise.race([ready, died()]);
      over = true;
      // How it ended says more than what we did not get.
      return why === null || (await isDead(session)) ? null : why;
    },
    told(session, reply) {
      if (reply.is === 'refusal')
        log.warn({ session: session.id, why: reply.message }, `${called} refused a request`);
      return typed[reply.is];
    },
    driver: {
      // It has no pane, and the door says so before it comes to this.
      press: async () => 'gone',
      async leaveCopyMode() {},
      attend(session) {
        const { state } = session.process;
        if (state === 'running' && !lives.has(session.id)) connect(session);
        if (state === 'exited' || state === 'lost') drop(session.id);
      },
      leave: drop,
      async catchUp(id) {
        const session = deps.session(id);
        if (session?.process.state === 'running') connect(session);
        await lives.get(id)?.catchUp();
      },
      async close() {
        await Promise.all([...lives.values()].map((live) => live.close()));
        lives.clear();
      },
    },
  };
}
