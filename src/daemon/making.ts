// What is told of a session while its worktree is made, and the word that it is not wanted any more.
import { isNamed } from '../domain/core/event.ts';
import type { WorktreeProgress } from '../domain/core/worktree.ts';
import type { Engine } from '../engine/engine.ts';
import type { Making } from '../ports/worktrees.ts';

/** The reason of those that are broken off because the daemon stops. */
export const stopping = Symbol('the daemon stops');

export function tellMaking(engine: Engine): {
  of(id: string, env: Readonly<Record<string, string>>): Making;
  /** Breaks off what is under way; the next start goes on with it. */
  stop(): void;
} {
  const unwanted = new Map<string, AbortController>();
  engine.onCommit(({ id }, events) => {
    if (events.some(({ body }) => isNamed(body, 'session killed'))) unwanted.get(id)?.abort();
  });
  return {
    stop() {
      for (const each of unwanted.values()) each.abort(stopping);
    },
    of(id, env) {
      const stop = new AbortController();
      unwanted.set(id, stop);
      if (engine.get(id)?.session.process.state === 'ending') stop.abort();
      const tell = async (progress: WorktreeProgress) => {
        await engine.submit(id, { type: 'worktree-progress', progress });
      };
      return {
        tell: {
          output: (text) => tell({ is: 'output', text }),
          made: () => tell({ is: 'made' }),
          setUp: () => tell({ is: 'set-up' }),
        },
        env,
        signal: stop.signal,
      };
    },
  };
}
