// What is told of a session while its worktree is made, and the word that it is not wanted any more.
import { isNamed } from '../domain/core/event.ts';
import type { Engine } from '../engine/engine.ts';
import type { Making } from '../ports/worktrees.ts';

export function tellMaking(engine: Engine): { of(id: string): Making } {
  const unwanted = new Map<string, AbortController>();
  engine.onCommit(({ id }, events) => {
    if (events.some(({ body }) => isNamed(body, 'session killed'))) unwanted.get(id)?.abort();
  });
  return {
    of(id) {
      const stop = new AbortController();
      unwanted.set(id, stop);
      if (engine.get(id)?.session.process.state === 'ending') stop.abort();
      const tell = async (progress: Parameters<typeof progressOf>[0]) => {
        await engine.submit(id, progressOf(progress));
      };
      return {
        tell: { output: (text) => tell({ is: 'output', text }), made: () => tell({ is: 'made' }) },
        signal: stop.signal,
      };
    },
  };
}

const progressOf = (progress: { is: 'made' } | { is: 'output'; text: string }) =>
  ({ type: 'worktree-progress', progress }) as const;
