// Who is of a team, by the place that each session keeps.
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { SessionView } from '../../protocol/session.ts';
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import type { Io } from '../io.ts';
import { isFile, readTeam, usualFile } from './file.ts';

/** The sessions of teams, each under the name of its team. */
export async function teams(client: Client): Promise<Map<string, SessionView[]>> {
  const { sessions } = await client.ask('GET /sessions');
  const found = new Map<string, SessionView[]>();
  for (const session of sessions) {
    if (!session.member) continue;
    found.set(session.member.team, [...(found.get(session.member.team) ?? []), session]);
  }
  return found;
}

/** Also those that were killed, the last one first. */
export async function killedMembers(client: Client, team: string): Promise<SessionView[]> {
  const { sessions } = await client.ask('GET /sessions', { query: { retired: true } });
  const killed = sessions.filter(({ ended, member }) => ended?.killed && member?.team === team);
  return killed.sort((a, b) => Date.parse(b.ended?.at ?? '') - Date.parse(a.ended?.at ?? ''));
}

export interface NamedTeam {
  readonly team: string;
  /** The members that its file names; null: it was named itself. */
  readonly names: readonly string[] | null;
}

/** What was given may be a file or the name of a team; nothing stands for the usual file, if it is there. */
export async function namedTeam(
  io: Io,
  client: Client,
  given: string | undefined,
): Promise<NamedTeam | null> {
  if (given === undefined && !existsSync(resolve(io.cwd, usualFile))) return null;
  if (given !== undefined && !isFile(io, given)) return { team: given, names: null };
  const { team, members } = await readTeam(io, client, given ?? usualFile);
  return { team, names: members.map(({ name }) => name) };
}

export const noTeam = (team: string, known: readonly string[]): Failure =>
  new Failure(
    `No team "${team}" runs (${known.length > 0 ? `these do: ${known.join(', ')}` : 'none does'}). Start it with: sm team up FILE`,
  );
