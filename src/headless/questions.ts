// The questions of an agent that asks by its protocol. They are told one at a time: the next one when the one before is
// over.
import type { RequestId } from './connection.ts';
import type { Told } from './reader.ts';

export interface Questions<Asked> {
  /** Those that are open, in the order in which they were asked. */
  readonly open: ReadonlyMap<RequestId, Asked>;
  ask(id: RequestId, asked: Asked): Told[];
  /** Evidence that it is over; one that nobody asks does nothing. */
  over(id: RequestId | null | undefined): Told[];
  /** They are over without a word, with their turn or with their process. */
  drop(isOver?: (asked: Asked) => boolean): void;
}

interface Telling<Asked> {
  asked(id: RequestId, asked: Asked): Told[];
  over(id: RequestId, asked: Asked): Told[];
}

export function inTurn<Asked>(tell: Telling<Asked>): Questions<Asked> {
  const open = new Map<RequestId, Asked>();

  function next(): Told[] {
    const [first] = open;
    return first ? tell.asked(...first) : [];
  }

  return {
    open,
    ask(id, asked) {
      open.set(id, asked);
      return open.size === 1 ? next() : [];
    },
    over(id) {
      const [first] = open.keys();
      const asked = id == null ? undefined : open.get(id);
      if (id == null || asked === undefined) return [];
      open.delete(id);
      return first === id ? [...tell.over(id, asked), ...next()] : [];
    },
    drop(isOver = () => true) {
      for (const [id, asked] of open) if (isOver(asked)) open.delete(id);
    },
  };
}
