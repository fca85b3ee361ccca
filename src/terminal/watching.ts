// Being told when a pane draws something, without asking again and again. tmux tells a control client what the panes of
// its session print; here only that they do matters. The client is there as long as somebody watches, looks only, and
// leaves the size of the pane alone.
import { connectControl } from './control-connection.ts';
import type { Tmux } from './tmux-process.ts';
import { spawnLines } from './transport.ts';

/** What is drawn in one go comes in many pieces: told of them all at once, some twenty times a second at most. */
const pace = 45;
const LOOK_ONLY = 'read-only,ignore-size';

export interface Watching {
  /** Calls `changed` when the pane has drawn something since the last call, and when the watch has ended. */
  watch(session: string, changed: () => void): () => void;
  /** Nobody watches the session while it is ended; who did is told afterwards. */
  aside(session: string, end: () => Promise<void>): Promise<void>;
  close(): void;
}

interface Watched {
  readonly listeners: Set<() => void>;
  close(): void;
  /** Its client is no more. */
  ended(): Promise<void>;
}

/** `apart`: no session is made or ended while a client comes or leaves, which tmux 3.3a does not survive. */
export function createWatching(tmux: Tmux, apart: <T>(work: () => Promise<T>) => Promise<T>): Watching {
  const watched = new Map<string, Watched>();

  function open(session: string): Watched {
    const listeners = new Set<() => void>();
    let over = false;
    let close = () => {};
    let left = () => {};
    const gone = new Promise<void>((resolve) => {
      left = resolve;
    });
    const tell = () => {
      for (const listener of [...listeners]) listener();
    };
    const entry: Watched = {
      listeners,
      close() {
        over = true;
        if (watched.get(session) === entry) watched.delete(session);
        close();
      },
      ended: () => gone,
    };
    void apart(
      () =>
        new Promise<void>((attached) => {
          if (over) {
            left();
            return attached();
          }
          const args = ['-u', '-N', '-S', tmux.socketPath, '-C', 'attach-session', '-t', `=${session}:`];
          let timer: NodeJS.Timeout | null = null;
          const connection = connectControl(spawnLines(tmux.program, [...args, '-f', LOOK_ONLY]), {
            attached: () => {
              attached();
              tell();
            },
            notified(name) {
              // Turning the output off meanwhile would stop tmux 3.3a from reading the pane: the agent would stand still.
              if (name !== '%output' || timer) return;
              timer = setTimeout(() => {
                timer = null;
                tell();
              }, pace);
            },
            closed() {
              if (timer) clearTimeout(timer);
              left();
              attached();
              entry.close();
              tell();
            },
          });
          const leave = () => {
            connection.close();
            return gone;
          };
          close = () => void apart(leave);
        }),
    );
    return entry;
  }

  return {
    watch(session, changed) {
      let entry = watched.get(session);
      if (!entry) {
        entry = open(session);
        watched.set(session, entry);
      }
      const own = () => changed();
      entry.listeners.add(own);
      return () => {
        entry.listeners.delete(own);
        if (entry.listeners.size === 0) entry.close();
      };
    },
    async aside(session, end) {
      const entry = watched.get(session);
      entry?.close();
      await entry?.ended();
      await end();
      for (const listener of [...(entry?.listeners ?? [])]) listener();
    },
    close() {
      for (const entry of [...watched.values()]) entry.close();
    },
  };
}
