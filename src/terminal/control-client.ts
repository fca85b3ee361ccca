// One control-mode client for everything that looks. It connects when it is first needed and again after a
// loss, and tells apart "no server is running" from "tmux cannot be used".

import { type Answer, type ControlConnection, connectControl } from './control-connection.ts';
import { TerminalFailed, TerminalUnavailable } from './errors.ts';
import { ANCHOR, ANCHOR_COMMAND } from './server.ts';
import { requireUsableTmux, saysNoServer, type Tmux } from './tmux-process.ts';
import { spawnLines } from './transport.ts';

export type Reply = Exclude<Answer, { kind: 'lost' }> | { kind: 'not-running' };

export interface ControlClient {
  /** Runs the commands as one list; again, if the connection is lost meanwhile. */
  request(commands: readonly (readonly string[])[]): Promise<Reply>;
  /** The same for what must not run twice: a loss is an error, and whether they ran is for the caller to find out. */
  requestOnce(commands: readonly (readonly string[])[]): Promise<Reply>;
  close(): Promise<void>;
}

export interface ClientEvents {
  /** Sessions came or went, or a pane died. */
  changed(): void;
  /** The connection was there and is lost: the server died, or only our client did. */
  lost(): void;
}

const NOTIFICATIONS_OF_CHANGE = new Set(['%sessions-changed', '%window-renamed']);

/** Someone ended the anchor session, and tmux is about to turn us out. */
const ANCHOR_IS_GONE = /^no current target/;

interface Link {
  connection: ControlConnection;
  /** Set once the link is down. */
  down: { attached: boolean; stderr: string; error: Error | null } | null;
  ended: Promise<void>;
}

export function createControlClient(tmux: Tmux, events: ClientEvents): ControlClient {
  let link: Link | null = null;
  let checked: Promise<void> | null = null;
  let closed = false;

  function open(): Link {
    let resolve = () => {};
    const ended = new Promise<void>((done) => {
      resolve = done;
    });
    const transport = spawnLines(tmux.program, attachCommand(tmux));
    const connection = connectControl(transport, {
      notified: (name) => {
        if (NOTIFICATIONS_OF_CHANGE.has(name)) events.changed();
      },
      closed: (why) => {
        opened.down = why;
        if (link === opened) link = null;
        if (why.attached && !closed) events.lost();
        resolve();
      },
    });
    const opened: Link = { connection, down: null, ended };
    return opened;
  }

  async function attempt(times: number, commands: readonly (readonly string[])[]): Promise<Reply> {
    checked ??= requireUsableTmux(tmux.program);
    await checked.catch((error) => {
      checked = null; // it may be installed by the next call
      throw error;
    });
    for (let round = 0; round < times; round++) {
      if (closed) throw new TerminalFailed('the terminal is closed');
      link ??= open();
      const used = link;
      const answer = await used.connection.request(commands);
      if (answer.kind === 'refused' && ANCHOR_IS_GONE.test(answer.message)) {
        used.connection.close();
        await used.ended;
      } else if (answer.kind !== 'lost') {
        return answer;
      } else if (used.down && !used.down.attached) {
        return notAttached(used.down);
      }
    }
    throw new TerminalFailed('the connection to tmux was lost');
  }

  return {
    // A link that turns out to be dead is replaced; a fresh one that dies as well means trouble.
    request: (commands) => attempt(2, commands),
    requestOnce: (commands) => attempt(1, commands),
    async close() {
      closed = true;
      const last = link;
      last?.connection.close();
      await last?.ended;
    },
  };
}

/** Attaches to the anchor, which is made anew if someone has ended it. `-N`: never starts a server. */
function attachCommand(tmux: Tmux): string[] {
  const attach = ['new-session', '-A', '-s', ANCHOR, '-f', 'no-output,ignore-size', '--', ...ANCHOR_COMMAND];
  return ['-u', '-N', '-S', tmux.socketPath, '-C', ...attach];
}

function notAttached({ stderr, error }: { stderr: string; error: Error | null }): Reply {
  if (error) throw error;
  if (saysNoServer(stderr)) return { kind: 'not-running' };
  throw new TerminalUnavailable(`tmux refuses to attach: ${stderr.trim() || 'it gave no reason'}`);
}
