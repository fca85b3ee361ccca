// Ends the sessions of a team, and says how to bring them back.
import type { SessionView } from '../../protocol/session.ts';
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { forEach } from '../for-each.ts';
import { type Io, ownSessionId, printLines } from '../io.ts';
import { nameAndId } from '../text/session.ts';
import { namedTeam, noTeam, teams } from './members.ts';

export async function teamDown(
  io: Io,
  client: Client,
  given: string | undefined,
  yes: boolean,
): Promise<number> {
  const named = await namedTeam(io, client, given);
  if (!named) throw new Failure('Which team? Usage: sm team down TEAM|FILE. See: sm team status');
  const all = await teams(client);
  const members = managerFirst(all.get(named.team) ?? []);
  if (members.length === 0) throw noTeam(named.team, [...all.keys()]);
  if (!yes) await confirm(io, named.team, members);
  const code = await forEach(
    members.map(({ id }) => id),
    io,
    async (id) => {
      await client.ask('POST /sessions/{ref}/kill', {
        ref: id,
        body: { requester_session_id: ownSessionId(io) },
      });
      const session = members.find((each) => each.id === id) as SessionView;
      io.out(`Killed ${nameAndId(session)}. Restore it with: sm restore ${id}\n`);
    },
  );
  const file = named.names === null ? ' FILE' : given === undefined ? '' : ` ${given}`;
  io.out(`Bring all of them back, with their conversations: sm team up${file} --restore\n`);
  return code;
}

/** The manager first: it must not be woken by the end of its workers. */
function managerFirst(members: readonly SessionView[]): SessionView[] {
  const ids = new Set(members.map(({ id }) => id));
  const leads = ({ parent_session_id: parent }: SessionView) => parent === null || !ids.has(parent);
  return [...members.filter(leads), ...members.filter((each) => !leads(each))];
}

async function confirm(io: Io, team: string, members: readonly SessionView[]): Promise<void> {
  printLines(
    io,
    members.map((each) => `${nameAndId(each)}: ${each.phase}`),
  );
  if (!io.inputIsTerminal)
    throw new Failure(
      `Nobody is here to ask. To end these ${members.length} sessions: sm team down ${team} --yes`,
    );
  const answer = await io.ask(`End these ${members.length} sessions? [y/N] `);
  if (!/^y(es)?$/i.test(answer.trim())) throw new Failure('Nothing was ended.');
}
