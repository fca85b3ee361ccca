// Which sessions a command acts on, where it can act on several. A selector is resolved once and shown before anything is
// lost; then the command acts on those ids, whatever the selector would match by then.
import { isSelector } from '../protocol/selector.ts';
import type { SessionRow } from '../protocol/session.ts';
import type { Client } from './daemon/client.ts';
import { Failure } from './failure.ts';
import { type Io, ownSessionId, printLines } from './io.ts';
import { oneLine } from './text/safe.ts';
import { nameAndId } from './text/session.ts';
import { sessionTable } from './text/session-table.ts';

export interface Asking {
  /** `kill`, as in `Kill these 3 sessions?` */
  readonly verb: string;
  /** The person has agreed already. */
  readonly yes: boolean;
}

export const yesOption = { help: 'do it to all that a selector matches, without a question' } as const;

/** The names as given; with a selector among them, ids. A selector never means the session that asks. */
export async function chosen(
  { io, client }: { io: Io; client: Client },
  refs: readonly string[],
  asking?: Asking,
): Promise<string[]> {
  if (!refs.some(isSelector)) return [...refs];
  const self = ownSessionId(io);
  const { rows } = await client.ask('GET /rows', { query: { of: refs.join(',') } });
  const found = rows.filter(({ id }) => id !== self);
  if (found.length === 0) throw new Failure(`No session matches ${oneLine(refs.join(', '))}. See: sm all`);
  if (asking && !asking.yes) await confirm(io, asking.verb, found);
  return found.map(({ id }) => id);
}

/** Whether a list is the answer, however many there are in it. */
export const isSeveral = (refs: readonly string[]): boolean => refs.length > 1 || refs.some(isSelector);

async function confirm(io: Io, verb: string, sessions: readonly SessionRow[]): Promise<void> {
  const count = sessions.length === 1 ? 'this session' : `these ${sessions.length} sessions`;
  if (!io.inputIsTerminal || !io.outputIsTerminal)
    throw new Failure(
      `Add --yes to ${verb} ${count}: ${sessions.map(nameAndId).join(', ')}. Nothing was done.`,
    );
  printLines(io, sessionTable(io, sessions));
  const said = await io.ask(`${verb[0]?.toUpperCase()}${verb.slice(1)} ${count}? [y/N] `);
  if (!/^y(es)?$/i.test(said.trim())) throw new Failure('Nothing was done.');
}
