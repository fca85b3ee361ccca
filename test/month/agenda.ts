// What is to happen at which time, the earliest first; of the same time, what was put down first.
export interface Agenda {
  add(at: number, what: () => unknown): void;
  /** When the next is due. */
  readonly next: number;
  /** The next one, if it is due by then. */
  take(now: number): (() => unknown) | undefined;
}

interface Entry {
  readonly at: number;
  readonly order: number;
  readonly what: () => unknown;
}

export function openAgenda(): Agenda {
  const heap: Entry[] = [];
  let order = 0;
  const before = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);

  function sink(entry: Entry): void {
    let i = 0;
    for (let child = 1; child < heap.length; child = 2 * i + 1) {
      const [left, right] = [heap[child] as Entry, heap[child + 1]];
      const least = right && before(right, left) ? child + 1 : child;
      if (!before(heap[least] as Entry, entry)) break;
      heap[i] = heap[least] as Entry;
      i = least;
    }
    heap[i] = entry;
  }

  return {
    add(at, what) {
      const entry = { at, order: ++order, what };
      let i = heap.push(entry) - 1;
      for (let parent = (i - 1) >> 1; i > 0 && before(entry, heap[parent] as Entry); parent = (i - 1) >> 1) {
        heap[i] = heap[parent] as Entry;
        i = parent;
      }
      heap[i] = entry;
    },
    get next() {
      return heap[0]?.at ?? Number.POSITIVE_INFINITY;
    },
    take(now) {
      const [first] = heap;
      if (!first || first.at > now) return undefined;
      const last = heap.pop() as Entry;
      if (heap.length > 0) sink(last);
      return first.what;
    },
  };
}
