// Hooks that wait for an answer: a hook tells its question, is heard, and then comes back to wait. Nothing here outlives
// a connection, and nothing durable depends on it: whoever is not here any more has left the dialog to the human.
import type { Clock } from '../ports/clock.ts';

/** A hook that has been heard comes back in milliseconds, or never. */
const returnsWithin = 5_000;

export interface WaitingHook {
  /** Whether it took the answer. */
  give(answer: string): Promise<boolean>;
}

export interface WaitingHooks {
  /** A hook tells its question now, and will come for the answer. */
  announce(fact: string): void;
  /** It has come for the answer. Returns the function to call when it leaves. */
  arrive(fact: string, hook: WaitingHook): () => void;
  /** Gives the answer to the hook that told this fact, also if that is still on its way here. */
  hand(fact: string, answer: string): Promise<'taken' | 'nobody'>;
}

interface Expected {
  readonly hook: Promise<WaitingHook | null>;
  readonly arrived: (hook: WaitingHook) => void;
}

export function createWaitingHooks(clock: Clock): WaitingHooks {
  const waiting = new Map<string, Expected>();

  function expect(fact: string): Expected {
    let settle: (hook: WaitingHook | null) => void = () => {};
    const hook = new Promise<WaitingHook | null>((resolve) => {
      settle = resolve;
    });
    const timer = clock.timer(returnsWithin, () => {
      waiting.delete(fact);
      settle(null);
    });
    const arrived = (here: WaitingHook) => {
      timer.cancel();
      settle(here);
    };
    const expected = { hook, arrived };
    waiting.set(fact, expected);
    return expected;
  }

  return {
    announce: (fact) => void expect(fact),
    arrive(fact, hook) {
      const expected = waiting.get(fact) ?? expect(fact);
      expected.arrived(hook);
      return () => void waiting.delete(fact);
    },
    async hand(fact, answer) {
      const hook = await waiting.get(fact)?.hook;
      return hook && (await hook.give(answer)) ? 'taken' : 'nobody';
    },
  };
}
