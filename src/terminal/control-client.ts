// One control-mode client for everything that looks and types. It connects when it is first needed and again after a
// loss, and tells apart "no server is running" from "tmux cannot be used".

import {
  type Answer,
  type ConnectionEnd,
  type ControlConnection,
  connectControl,
} from './control-connection.ts';
import { TerminalFailed, TerminalUnavailable } from './errors.ts';
import { ANCHOR, MAKE_ANCHOR } from './server.ts';
import { requireUsableTmux, runTmux, saysNoServer, type Tmux } from './tmux-process.ts';
import { spawnLines } from './transport.ts';

type Commands = readonly (readonly string[])[];

/** What servers of other versions than ours may do otherwise. One that runs may be older than the program. */
export interface Abilities {
  /** What a capture that keeps trailing blanks has for cells that were never written: 3.2, 3.3 and newer ones differ. */
  readonly unwritten: 'blanks' | 'nothing' | 'nothing if asked';
}

export type Reply = Exclude<Answer, { kind: 'lost' }> | { kind: 'not-running' };

export interface ControlClient {
  /** Runs the commands as one list; again, if the connection is lost meanwhile. */
  request(commands: Commands | ((server: Abilities) => Commands)): Promise<Reply>;
  /**
   * The same for what must not run twice: a loss is an error, and whether they ran is for the caller to find out.
   * `inserted`: how many further commands the last one of them runs.
   */
  requestOnce(commands: Commands, inserted?: number): Promise<Reply>;
  /** Runs what makes or ends sessions without us, and lets nobody attach meanwhile. */
  apart<T>(work: () => Promise<T>): Promise<T>;
  /** One after the other: making and ending sessions through us, and the attaching of other control clients of ours. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
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
const TURNING_US_OUT = /^no current target/;

interface Opened {
  connection: ControlConnection;
  ended: Promise<ConnectionEnd>;
}

interface Link extends Opened {
  server: Abilities;
}

export function createControlClient(tmux: Tmux, events: ClientEvents): ControlClient {
  let link: Promise<Link | null> | null = null;
  let closed = false;
  const apart = oneByOne();

  /** Starts a client; resolves with the link once tmux has let us in, or else with why not. */
  function open(): Promise<Opened | ConnectionEnd> {
    return new Promise((settle) => {
      const ended = new Promise<ConnectionEnd>((end) => {
        const connection = connectControl(spawnLines(tmux.program, attachCommand(tmux)), {
          attached: () => settle({ connection, ended }),
          notified: (name) => {
            if (NOTIFICATIONS_OF_CHANGE.has(name)) events.changed();
          },
          closed: (why) => {
            end(why);
            settle(why);
            if (!why.attached) return;
            link = null;
            if (!closed) events.lost();
          },
        });
      });
    });
  }

  /** The link to a running server, or null when none runs. */
  async function attach(): Promise<Link | null> {
    await requireUsableTmux(tmux.program);
    let opened = await open();
    if (isRefusal(opened) && /can't find session|no sessions/.test(opened.reason)) {
      await runTmux(tmux, MAKE_ANCHOR);
      opened = await open();
    }
    if (!isRefusal(opened)) return { ...opened, server: await abilitiesOf(opened.connection) };
    if (opened.error) throw opened.error;
    if (saysNoServer(opened.reason)) return null;
    throw new TerminalUnavailable(`cannot connect to tmux: ${opened.reason || 'no reason given'}`);
  }

  async function linked(): Promise<Link | null> {
    if (closed) throw new TerminalFailed('the terminal is closed');
    const attaching = (link ??= apart(attach));
    // Nothing that failed is kept: the next call tries again.
    const result = await attaching.catch((error) => {
      link = null;
      throw error;
    });
    if (result === null && link === attaching) link = null;
    return result;
  }

  async function attempt(
    times: number,
    commands: Commands | ((server: Abilities) => Commands),
    inserted = 0,
  ): Promise<Reply> {
    for (let round = 0; round < times; round++) {
      const used = await linked();
      if (!used) return { kind: 'not-running' };
      const list = typeof commands === 'function' ? commands(used.server) : commands;
      const answer = await used.connection.request(list, inserted);
      if (answer.kind === 'refused' && TURNING_US_OUT.test(answer.message)) {
        used.connection.close();
        await used.ended;
      } else if (answer.kind !== 'lost') {
        return answer;
      }
    }
    throw new TerminalFailed('the connection to tmux was lost');
  }

  return {
    // A link that turns out to be dead is replaced; a fresh one that dies as well means trouble.
    request: (commands) => attempt(2, commands),
    requestOnce: (commands, inserted) => attempt(1, commands, inserted),
    apart,
    inTurn: oneByOne(),
    async close() {
      closed = true;
      const last = await link?.catch(() => null);
      last?.connection.close();
      await last?.ended;
    },
  };
}

function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
}

/**
 * tmux 3.3a crashes, and all agents with it, if a session is made or ended in the instant in which a control
 * client introduces itself. So attaching makes none: the anchor comes from an ordinary client, apart from which we
 * attach, and we launch and kill only through a link that is up. Two daemons on one server could still do it to each
 * other.
 */
function attachCommand(tmux: Tmux): string[] {
  const attach = ['attach-session', '-t', `=${ANCHOR}:`, '-f', 'no-output,ignore-size'];
  return ['-u', '-N', '-S', tmux.socketPath, '-C', ...attach];
}

async function abilitiesOf(connection: ControlConnection): Promise<Abilities> {
  const answer = await connection.request([
    ['display-message', '-p', '#{version}'],
    ['list-commands', '-F', '#{command_list_usage}', 'capture-pane'],
  ]);
  const [[version = ''] = [], [usage = ''] = []] = answer.kind === 'done' ? answer.outputs : [];
  if (/^\[-\w*T/.test(usage)) return { unwritten: 'nothing if asked' };
  return { unwritten: version.startsWith('3.2') ? 'blanks' : 'nothing' };
}

function isRefusal(opened: Opened | ConnectionEnd): opened is ConnectionEnd {
  return 'reason' in opened;
}
