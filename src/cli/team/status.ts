// The teams that run, and who of them is missing.
import type { SessionView } from '../../protocol/session.ts';
import type { Client } from '../daemon/client.ts';
import { type Io, printLines } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { isLive } from '../text/session.ts';
import { sessionTable } from '../text/session-table.ts';
import { type NamedTeam, namedTeam, noTeam, teams } from './members.ts';

export async function teamStatus(
  io: Io,
  client: Client,
  given: string | undefined,
  json: boolean,
): Promise<void> {
  const all = await teams(client);
  const named = await namedTeam(io, client, given);
  if (named && !all.has(named.team) && named.names === null) throw noTeam(named.team, [...all.keys()]);
  const shown = named ? [named] : [...all.keys()].map((team): NamedTeam => ({ team, names: null }));
  const reports = shown.map(({ team, names }) => report(team, names, all.get(team) ?? []));
  if (json) return io.out(safeJson({ teams: reports }));
  if (reports.length === 0) return io.out('No teams. Start one with: sm team up FILE\n');
  for (const { team, members, missing } of reports) {
    const live = members.filter(({ session }) => isLive(session)).length;
    printLines(io, [
      `${team}: ${live} of ${members.length + missing.length} run`,
      ...(members.length > 0
        ? sessionTable(
            io,
            members.map(({ session }) => session),
          )
        : []),
      ...(missing.length > 0 ? [`missing: ${missing.join(', ')}. Start them with: sm team up`] : []),
    ]);
  }
}

/** Without the file nobody knows who is missing. */
function report(team: string, names: readonly string[] | null, sessions: readonly SessionView[]) {
  const members = sessions.map((session) => ({ member: session.member?.name ?? '', session }));
  const missing = (names ?? []).filter((name) => !members.some(({ member }) => member === name));
  return { team, members, missing };
}
