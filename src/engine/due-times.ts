// One timer to the earliest due time of all lanes: a binary heap, so that a change costs O(log n) however many wait.
import type { Clock } from '../ports/clock.ts';

/** Clocks jump, machines sleep, and setTimeout has a limit of 24 days: never wait longer than this in one go. */
const longestWait = 60_000;

export interface DueTimes {
  set(key: string, at: number | null): void;
  stop(): void;
}

export function createDueTimes(clock: Clock, onDue: (key: string) => void): DueTimes {
  const current = new Map<string, number>();
  // Entries that are no longer current are dropped when they come up.
  const heap: { key: string; at: number }[] = [];
  let timer: { cancel(): void } | null = null;
  let armedFor = Number.POSITIVE_INFINITY;
  let stopped = false;

  function arm(): void {
    while (heap[0] && current.get(heap[0].key) !== heap[0].at) pop(heap);
    const next = heap[0]?.at ?? Number.POSITIVE_INFINITY;
    if (next === armedFor) return;
    timer?.cancel();
    timer = null;
    armedFor = next;
    if (next === Number.POSITIVE_INFINITY) return;
    timer = clock.timer(Math.min(Math.max(next - clock.now(), 0), longestWait), fire);
  }

  function fire(): void {
    armedFor = Number.POSITIVE_INFINITY;
    const now = clock.now();
    while (heap[0] && heap[0].at <= now) {
      const { key, at } = pop(heap) as { key: string; at: number };
      if (current.get(key) !== at) continue;
      current.delete(key);
      onDue(key);
    }
    arm();
  }

  return {
    set(key, at) {
      if (stopped || (current.get(key) ?? null) === at) return;
      if (at === null) current.delete(key);
      else {
        current.set(key, at);
        push(heap, { key, at });
      }
      if (heap.length > 2 * current.size + 64) rebuild();
      arm();
    },
    stop() {
      stopped = true;
      timer?.cancel();
      timer = null;
    },
  };

  /** Due times that are moved again and again leave old entries behind; this bounds them. */
  function rebuild(): void {
    heap.length = 0;
    for (const [key, at] of current) push(heap, { key, at });
  }
}

function push(heap: { key: string; at: number }[], entry: { key: string; at: number }): void {
  let i = heap.push(entry) - 1;
  while (i > 0) {
    const parent = (i - 1) >> 1;
    if ((heap[parent] as { at: number }).at <= entry.at) break;
    heap[i] = heap[parent] as { key: string; at: number };
    i = parent;
  }
  heap[i] = entry;
}

function pop(heap: { key: string; at: number }[]): { key: string; at: number } | undefined {
  const top = heap[0];
  const last = heap.pop();
  if (!top || !last || heap.length === 0) return top;
  let i = 0;
  for (;;) {
    let child = 2 * i + 1;
    if (child >= heap.length) break;
    if (
      child + 1 < heap.length &&
      (heap[child + 1] as { at: number }).at < (heap[child] as { at: number }).at
    )
      child += 1;
    if ((heap[child] as { at: number }).at >= last.at) break;
    heap[i] = heap[child] as { key: string; at: number };
    i = child;
  }
  heap[i] = last;
  return top;
}
