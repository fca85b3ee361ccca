// For tests: an engine in virtual time on a given store, with effects that the test finishes by hand.

import type { EffectResult, OwedEffect } from '../../src/domain/core/effect.ts';
import type { Fact } from '../../src/domain/core/fact.ts';
import type { Create, Input } from '../../src/domain/core/input.ts';
import { person } from '../../src/domain/core/names.ts';
import { type Answer, createEngine, type Engine } from '../../src/engine/engine.ts';
import { type VirtualClock, virtualClock } from '../../src/engine/virtual-clock.ts';
import type { Log } from '../../src/ports/log.ts';
import { silentLog } from '../../src/ports/log.ts';
import type { Batch, Store } from '../../src/ports/store.ts';
import { conversation, creation, factOf, launched, sent, settings } from './session.ts';

export interface RunningEffect {
  readonly owed: OwedEffect;
  finish(result: EffectResult): Promise<void>;
  fail(error: Error): Promise<void>;
}

export interface TestEngine extends Engine {
  readonly clock: VirtualClock;
  readonly store: Store;
  /** Every batch that was committed. */
  readonly commits: readonly Batch[];
  /** Effects that have begun and not ended. */
  readonly running: RunningEffect[];
  readonly logged: string[];
  /** Commits fail with this until it is taken away. */
  broken: Error | null;
  create(id: string, more?: Partial<Create>): Promise<Answer>;
  /** Creates it and brings it to idle. */
  createIdle(id: string): Promise<void>;
  hear(id: string, fact: Fact, factId?: string): Promise<Answer>;
  runningOf(id: string): RunningEffect;
}

/** All that is ready in the loop, and what follows from it. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 10; i += 1) await new Promise((resolve) => setImmediate(resolve));
}

export function testEngine(store: Store, clock = virtualClock()): TestEngine {
  const commits: Batch[] = [];
  const running: RunningEffect[] = [];
  const logged: string[] = [];
  const log: Log = { ...silentLog, error: (_, message) => logged.push(message) };
  let facts = 0;

  const watched: Store = {
    ...store,
    async commit(batch) {
      if (test.broken) throw test.broken;
      await store.commit(batch);
      commits.push(batch);
    },
  };

  const runner = {
    run: (owed: OwedEffect) =>
      new Promise<EffectResult>((resolve, reject) => {
        const end = (settle: () => void) => {
          running.splice(running.indexOf(effect), 1);
          settle();
          return settled();
        };
        const effect: RunningEffect = {
          owed,
          finish: (result) => end(() => resolve(result)),
          fail: (error) => end(() => reject(error)),
        };
        running.push(effect);
      }),
  };

  const engine = createEngine({ store: watched, clock, runner, log, settings });
  const test: TestEngine = {
    ...engine,
    clock,
    store,
    commits,
    running,
    logged,
    broken: null,
    create: (id, more) =>
      engine.submit(id, {
        ...creation,
        id,
        name: `scripted-${id}`,
        providerId: `${conversation}-${id}`,
        ...more,
      }),
    async createIdle(id) {
      await test.create(id);
      await settled();
      await test.runningOf(id).finish(launched);
      await test.hear(id, factOf({ is: 'agent-started', providerId: `${conversation}-${id}` }));
    },
    hear(id, fact, factId = `f${++facts}`) {
      return engine.submit(id, { type: 'fact', id: factId, at: clock.now(), source: 'hook', fact });
    },
    runningOf(id) {
      const effect = running.find(({ owed }) => owed.sessionId === id);
      if (!effect) throw new Error(`no effect of ${id} runs`);
      return effect;
    },
  };
  return test;
}

export const task = (text: string): Input => ({ type: 'set-task', by: person, task: text });

export const message = (id: string): Input => sent({ id });
