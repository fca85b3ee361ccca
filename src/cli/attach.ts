// Opens the terminal of a session, which is a tmux session on our own server.
import { realpathSync } from 'node:fs';
import type { SessionView } from '../protocol/session.ts';
import type { Client } from './daemon/client.ts';
import { statePaths } from './daemon/paths.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { oneLine } from './text/safe.ts';
import { isLive, whyItEnded } from './text/session.ts';
import { lastLines } from './wait-for-start.ts';

export async function openTerminal(io: Io, client: Client, session: SessionView): Promise<number> {
  if (!isLive(session)) throw new Failure(whyItEnded(session));
  if (!session.tmux_session && io.inputIsTerminal && io.outputIsTerminal) {
    // Loaded when it is needed: most sessions have a terminal.
    const { openConversation } = await import('./conversation.ts');
    return openConversation(io, client, session);
  }
  if (!io.inputIsTerminal || !io.outputIsTerminal) {
    throw new Failure(`sm attach needs a terminal. To print what the session shows: sm output ${session.id}`);
  }
  if (session.node !== undefined) {
    const { openTerminalElsewhere } = await import('./terminal-elsewhere.ts');
    return openTerminalElsewhere(io, client, session);
  }
  const server = statePaths(io).tmuxSocket;
  const target = `=${session.tmux_session}:`;
  // In a pane of our own tmux server (a window opened beside an agent), switch instead of nesting.
  if (isSame(outerSocket(io), server))
    return io.runProgram('tmux', ['-S', server, 'switch-client', '-t', target], io.env);
  const { hint, prefix } = outerSocket(io) === undefined ? outside : await howToLeave(io, session);
  if (hint) io.out(`${hint}\n`);
  // Without these, tmux takes itself to be nested in the terminal of the person who calls, and refuses.
  const { TMUX: _, TMUX_PANE: __, ...env } = io.env;
  const tell = [
    ...(hint ? [';', 'display-message', '-d', '5000', hint] : []),
    ...[';', 'set-option', '-gqF', '@sm-nested', withPrefix(prefix)],
  ];
  const code = await io.runProgram('tmux', ['-S', server, 'attach', '-t', target, ...tell], env);
  return (await tellEnd(io, client, session.id)) ?? code;
}

/** What to use with a session that nobody can attach to. */
export const insteadOfTerminal = ({ id }: SessionView): string =>
  `Talk to it with: sm attach ${id}. Follow it with: sm tail ${id} -f`;

/** How the agent ended, if that closed the terminal. Undefined: it goes on, or nobody knows. */
async function tellEnd(io: Io, client: Client, id: string): Promise<number | undefined> {
  const session = await client
    .ask('GET /sessions/{ref}', { ref: id }, { start: false })
    .catch(() => undefined);
  if (!session?.ended) return undefined;
  const { code, killed } = session.ended;
  if (killed || code === 0) {
    io.out(`${whyItEnded(session)}\n`);
    return 0;
  }
  const shown = await lastLines(client, id).catch(() => '');
  throw new Failure(`${whyItEnded(session)}${shown && `\nIts last output:\n${shown}`}`);
}

const outerSocket = ({ env }: Io): string | undefined => env.TMUX?.split(',')[0] || undefined;

function isSame(one: string | undefined, other: string): boolean {
  try {
    return one !== undefined && realpathSync(one) === realpathSync(other);
  } catch {
    return false;
  }
}

/** `prefix`: what is pressed so that our C-b arrives; `-`: nothing brings it there. */
interface Leaving {
  readonly hint?: string;
  readonly prefix: string;
}

const ours = 'C-b';
const outside: Leaving = { prefix: ours };

/**
 * For the status line, which is drawn for each client: those that have another prefix, by the number of their process. One that
 * had the same number before us is forgotten, and so is what nobody can be any more.
 */
function withPrefix(prefix: string): string {
  const others = `#{s| #{client_pid}=[^~]*~||:@sm-nested}`;
  return prefix === ours ? others : `#{=-2000:${others} #{client_pid}=${prefix}~}`;
}

/** Ours is left with C-b d, unless the tmux around it takes that key for itself. */
async function howToLeave(io: Io, { tmux_session: name }: SessionView): Promise<Leaving> {
  const ask = async (...args: string[]) => (await io.outputOf('tmux', args)) ?? '';
  const prefixes = [
    await ask('show-options', '-gqv', 'prefix'),
    await ask('show-options', '-gqv', 'prefix2'),
  ];
  if (!prefixes.some((prefix) => prefix.trim() === ours)) return { hint: 'Detach with C-b d.', prefix: ours };
  const [, key] =
    /^bind-key\s+(?:-r\s+)?-T prefix\s+(\S+)\s+send-prefix\s*$/m.exec(
      await ask('list-keys', '-T', 'prefix'),
    ) ?? [];
  if (key !== undefined)
    return {
      hint: `You are inside another tmux: detach from this one with C-b ${oneLine(key)} d.`,
      // Other characters mean something to tmux.
      prefix: /^[\w-]+$/.test(key) ? `${ours} ${key}` : '-',
    };
  const another = `tmux -S ${statePaths(io).tmuxSocket} detach-client -s =${name}`;
  return {
    hint: `You are inside another tmux that keeps C-b for itself. Detach from another shell: ${another}`,
    prefix: '-',
  };
}
