// Opens the terminal of a session, which is a tmux session on our own server.
import type { SessionView } from '../protocol/session.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { statePaths } from './paths.ts';
import { isLive, nameAndId, whyItEnded } from './session-text.ts';

export async function openTerminal(io: Io, session: SessionView): Promise<number> {
  if (!isLive(session)) throw new Failure(whyItEnded(session));
  if (!session.tmux_session)
    throw new Failure(`${nameAndId(session)} has no terminal. ${insteadOfTerminal(session)}`);
  if (!io.inputIsTerminal || !io.outputIsTerminal) {
    throw new Failure(`Attaching needs a terminal. To see what this one shows: sm output ${session.id}`);
  }
  // Without these, tmux takes itself to be nested in the terminal of the person who calls, and refuses.
  const { TMUX: _, TMUX_PANE: __, ...env } = io.env;
  const target = `=${session.tmux_session}:`;
  return io.runProgram('tmux', ['-S', statePaths(io).tmuxSocket, 'attach', '-t', target], env);
}

/** What to use with a session that nobody can attach to. */
export const insteadOfTerminal = ({ id }: SessionView): string =>
  `Follow its words with: sm tail ${id} -f; write to it with: sm send ${id} TEXT`;
