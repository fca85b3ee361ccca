import type { SessionView } from '../../protocol/session.ts';
import { openTerminal } from '../attach.ts';
import { defineCommand } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { type Io, printLines } from '../io.ts';
import { startOne } from '../text/hints.ts';
import { byFamily, isLive } from '../text/session.ts';
import { sessionTable } from '../text/session-table.ts';

export default defineCommand({
  usage: '[SESSION]',
  about:
    'Opens the terminal of a session. Detach with C-b d; the session keeps running. Inside another tmux, detach with\n' +
    'C-b C-b d. Inside a tmux window that sm opened, it switches to the session.\n' +
    'Of a session of another machine it shows the terminal as large as it is there.\n' +
    'Of a session without a terminal it opens the conversation, with a line to type in: a text is sent as an important\n' +
    'message, /COMMAND is given to the agent, y and n answer its question. Ctrl-C interrupts, Ctrl-D leaves.',
  options: {},
  async run({ args: [ref], io, client }) {
    const session = ref === undefined ? await choose(io, client) : await presentSession(client, ref);
    return openTerminal(io, client, session);
  },
});

async function choose(io: Io, client: Client): Promise<SessionView> {
  const { sessions } = await client.ask('GET /sessions');
  // In the order of the table, so that a number means the line it stands on.
  const live = byFamily(sessions.filter(isLive)).map(({ session }) => session);
  const [only] = live;
  if (!only) throw new Failure(`No session is running. ${startOne}`);
  if (live.length === 1) return only;
  if (!io.inputIsTerminal || !io.outputIsTerminal) {
    throw new Failure(`${live.length} sessions are running. Name one: sm attach SESSION. See: sm all`);
  }
  const [head = '', ...lines] = sessionTable({ ...io, columns: io.columns && io.columns - 4 }, live);
  printLines(io, [`    ${head}`, ...lines.map((line, index) => `${String(index + 1).padStart(2)}  ${line}`)]);
  return picked(await io.ask('Attach to which? '));

  function picked(answer: string): SessionView {
    const session = live[Number(answer.trim()) - 1];
    if (!session) throw new Failure('You chose no session.');
    return session;
  }
}
