/** Listeners that are told once, however many things changed in the same tick. */
export interface Changes {
  fire(): void;
  listen(listener: () => void): () => void;
  /** Resolves with true at the next change, with false when the time is over. */
  next(limitMs: number): Promise<boolean>;
}

export function createChanges(): Changes {
  const listeners = new Set<() => void>();
  let due = false;

  function listen(listener: () => void): () => void {
    const own = () => listener(); // the same function may listen twice
    listeners.add(own);
    return () => {
      listeners.delete(own);
    };
  }

  return {
    listen,
    fire() {
      if (due) return;
      due = true;
      setImmediate(() => {
        due = false;
        for (const listener of [...listeners]) listener();
      });
    },
    next: (limitMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => done(false), limitMs);
        const stop = listen(() => done(true));
        function done(changed: boolean): void {
          clearTimeout(timer);
          stop();
          resolve(changed);
        }
      }),
  };
}
