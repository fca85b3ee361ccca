// The control-mode protocol of tmux: commands go out as lines, each command's answer comes back in order as a
// block `%begin TIME NUMBER FLAGS … %end TIME NUMBER FLAGS`, and notifications stand between the blocks.

import { tmuxLine } from './quote.ts';
import type { LineTransport } from './transport.ts';

export type Answer =
  /** The output lines of each command. */
  | { kind: 'done'; outputs: string[][] }
  /** tmux refused one of the commands; those after it did not run. */
  | { kind: 'refused'; message: string }
  /** The connection ended before the answer: nobody knows whether the commands ran. */
  | { kind: 'lost' };

export interface ControlConnection {
  /**
   * Runs the commands as one list: nothing else happens in the server between them. `inserted`: how many further
   * commands the last one of them runs, which are answered after it.
   */
  request(commands: readonly (readonly string[])[], inserted?: number): Promise<Answer>;
  close(): void;
}

export interface ConnectionEvents {
  /** tmux has let us in. A command that it reads earlier than that may run before the attaching. */
  attached(): void;
  notified(name: string): void;
  closed(end: ConnectionEnd): void;
}

export interface ConnectionEnd {
  /** False when tmux never let us in. */
  attached: boolean;
  /** What tmux said about it, if anything. */
  reason: string;
  /** Set when there was no process to talk to. */
  error: Error | null;
}

interface Pending {
  awaited: number;
  outputs: string[][];
  settle(answer: Answer): void;
}

export function connectControl(transport: LineTransport, events: ConnectionEvents): ControlConnection {
  const pending: Pending[] = [];
  let block: { id: string; ours: boolean; lines: string[] } | null = null;
  let attached = false;
  let open = true;
  let reason = '';

  transport.onLine((line) => {
    if (block) return insideBlock(block, line);
    const begin = /^%begin (\d+ \d+) (\d+)/.exec(line);
    // Flag 1 marks the answer to a command of ours; the attaching itself and hooks have 0.
    if (begin) block = { id: begin[1]!, ours: begin[2] === '1', lines: [] };
    else if (line.startsWith('%exit')) reason ||= line.slice('%exit '.length);
    else if (line.startsWith('%')) events.notified(line.split(' ', 1)[0]!);
    // Answers and questions no longer match (a screen that imitates `%end` could do that): start afresh.
    else transport.close();
  });

  transport.onClose(({ stderr, error }) => {
    open = false;
    for (const { settle } of pending.splice(0)) settle({ kind: 'lost' });
    events.closed({ attached, reason: reason || stderr.trim(), error });
  });

  // Output may look like anything, so a block ends only at its own time and number.
  function insideBlock(current: NonNullable<typeof block>, line: string): void {
    const failed = line.startsWith(`%error ${current.id} `);
    if (!failed && !line.startsWith(`%end ${current.id} `)) {
      current.lines.push(line);
      return;
    }
    block = null;
    if (current.ours) answered(current.lines, failed);
    else if (!attached) attachAnswered(current.lines, failed);
  }

  function attachAnswered(lines: string[], failed: boolean): void {
    if (failed) {
      reason = lines.join('\n');
    } else {
      attached = true;
      events.attached();
    }
  }

  function answered(lines: string[], failed: boolean): void {
    const first = pending[0];
    if (!first) return;
    first.outputs.push(lines);
    if (!failed && first.outputs.length < first.awaited) return;
    pending.shift();
    first.settle(
      failed ? { kind: 'refused', message: lines.join('\n') } : { kind: 'done', outputs: first.outputs },
    );
  }

  return {
    request: (commands, inserted = 0) =>
      new Promise((settle) => {
        if (!open) return settle({ kind: 'lost' });
        pending.push({ awaited: commands.length + inserted, outputs: [], settle });
        transport.send(tmuxLine(commands));
      }),
    close: () => transport.close(),
  };
}
