// Which conversation is meant: by its id, by a number in a list, or by the pane in which its agent runs.
import type { ConversationView } from '../../protocol/conversation.ts';
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { environment, type Io } from '../io.ts';
import { oneLine } from '../text/safe.ts';
import { conversationLines } from './text.ts';

export interface Finding {
  readonly provider: string | undefined;
  readonly limit: number;
}

export async function listed(
  io: Io,
  client: Client,
  { provider, limit }: Finding,
  only: { readonly id?: string; readonly below?: number } = {},
): Promise<ConversationView[]> {
  const body = { ...(provider !== undefined && { provider }), limit, ...only, env: environment(io) };
  return (await client.ask('POST /conversations/find', { body })).conversations;
}

export async function byId(io: Io, client: Client, finding: Finding, id: string): Promise<ConversationView> {
  const [found] = await listed(io, client, finding, { id });
  if (!found) throw new Failure(`No conversation ${oneLine(id)} in which anything was said. See: sm adopt`);
  return found;
}

export async function picked(io: Io, client: Client, finding: Finding): Promise<ConversationView> {
  if (!io.inputIsTerminal || !io.outputIsTerminal)
    throw new Failure('--pick asks, and here is nobody to answer. Name one: sm adopt --conversation ID');
  // Those that somebody has cannot be picked.
  const free = (await listed(io, client, finding)).filter(({ session }) => session === null);
  if (free.length === 0) throw new Failure('No conversation to adopt.');
  io.out(`${conversationLines(io, free, { numbered: true }).join('\n')}\n`);
  const said = (await io.ask('Which one? ')).trim();
  const one = /^\d+$/.test(said) ? free[Number(said) - 1] : undefined;
  if (!one) throw new Failure('Nothing was done.');
  return one;
}

/** `socket`: of the tmux server that the pane is in; undefined: the one around us, else the usual one. */
export async function inPane(
  io: Io,
  client: Client,
  finding: Finding,
  { pane, socket }: { readonly pane: string; readonly socket: string | undefined },
): Promise<ConversationView> {
  const around = io.env.TMUX?.split(',', 1)[0] || undefined;
  const server = socket ?? around;
  const where = server === undefined ? [] : ['-S', server];
  const format = '#{pane_pid}|#{@sm-name}';
  const said = await io.outputOf('tmux', [...where, 'display-message', '-p', '-t', pane, format]);
  const [pid = '', name = ''] = said?.trim().split('|') ?? [];
  if (!/^\d+$/.test(pid))
    throw new Failure(
      `No pane ${oneLine(pane)}. See: tmux${where.map((word) => ` ${word}`).join('')} list-panes -a`,
    );
  if (name !== '')
    throw new Failure(`The pane ${oneLine(pane)} is that of a session: ${name.replace(/^sm-/, '')}.`);
  const [found] = await listed(io, client, finding, { below: Number(pid) });
  if (!found)
    throw new Failure(
      `No agent in the pane ${oneLine(pane)} has a conversation open in which anything was said. If its account is another than yours here, set the same variables (CLAUDE_CONFIG_DIR, CODEX_HOME) and try again.`,
    );
  return found;
}
