// Sends what is typed, in order and each once: while one request is under way, what comes is gathered for the next.
import type { TypedView } from '../protocol/typing.ts';

export interface Typist {
  type(...typed: TypedView[]): void;
}

/** `tell`: why something was not typed; null: it was. What came after it is dropped, because it was meant to follow it. */
export function createTypist(
  send: (typed: TypedView[]) => Promise<void>,
  tell: (problem: string | null) => void,
): Typist {
  let waiting: TypedView[] = [];
  let isSending = false;

  async function sendAll(): Promise<void> {
    isSending = true;
    while (waiting.length > 0) {
      const typed = joined(waiting.splice(0, 200));
      try {
        await send(typed);
        tell(null);
      } catch (error) {
        waiting = [];
        tell(error instanceof Error ? error.message : String(error));
      }
    }
    isSending = false;
  }

  return {
    type(...typed) {
      waiting.push(...typed);
      if (!isSending && waiting.length > 0) void sendAll();
    },
  };
}

/** Letters that follow each other are one text. */
function joined(typed: readonly TypedView[]): TypedView[] {
  const all: TypedView[] = [];
  for (const each of typed) {
    const last = all.at(-1);
    if (last && 'text' in last && 'text' in each) all[all.length - 1] = { text: last.text + each.text };
    else all.push(each);
  }
  return all;
}
