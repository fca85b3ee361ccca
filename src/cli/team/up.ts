// Brings a team up: starts who is missing, restores who has ended, and leaves the others alone. Who is there is known by
// its place in the team, so it can be done again after anything, and nobody comes twice.
import type { SessionView } from '../../protocol/session.ts';
import type { TeamMemberView } from '../../protocol/team.ts';
import { type Client, Refusal } from '../daemon/client.ts';
import { newestEvent } from '../events.ts';
import { Failure } from '../failure.ts';
import { environment, type Io, ownSessionId } from '../io.ts';
import { safeJson, safeText } from '../text/safe.ts';
import { isLive, nameAndId } from '../text/session.ts';
import { untilStarted } from '../wait-for-start.ts';
import { promptsOf, type ReadTeam, readTeam } from './file.ts';
import { killedMembers, teams } from './members.ts';

interface UpOptions {
  readonly file: string;
  /** Those that were killed come back with their conversation, instead of new ones. */
  readonly restore: boolean;
  readonly json: boolean;
}

type Outcome = 'present' | 'started' | 'restored' | 'failed';

interface Brought {
  readonly member: string;
  readonly outcome: Outcome;
  readonly session?: SessionView;
  /** The number of an event from before its agent was started. */
  readonly after?: number;
  readonly error?: string;
}

export async function teamUp(io: Io, client: Client, options: UpOptions): Promise<number> {
  const team = await readTeam(io, client, options.file);
  const prompts = await promptsOf(io, team);
  const self = ownSessionId(io);
  if (self !== undefined && team.members.some(({ manager }) => manager))
    throw new Failure(
      `${team.team} has a manager of its own, which only a person can start. You lead a team whose file has only workers.`,
    );
  const say = (text: string) => (options.json ? undefined : io.out(text));
  const brought: Brought[] = [];
  let parent = self;
  for (const member of team.members) {
    const prompt = prompts.get(member.name) ?? null;
    const one = await bring(io, client, { team, member, prompt, parent, restore: options.restore });
    brought.push(one);
    if (member.manager) parent = one.session?.id;
    say(lineOf(team, one, parent));
    if (one.error !== undefined) io.err(`Error: ${safeText(one.error)}\n`);
    // Workers without the parent that they were meant for would tell nobody.
    if (member.manager && !one.session) break;
  }
  const ends = await Promise.all(brought.map((one) => started(io, client, one, say)));
  if (options.json)
    io.out(
      safeJson({
        team: team.team,
        members: ends.map(({ member, outcome, session, error }) => ({
          ...{ member, outcome, session_id: session?.id ?? null, error: error ?? null },
        })),
      }),
    );
  return ends.some(({ outcome }) => outcome === 'failed') ? 1 : 0;
}

interface Wanted {
  readonly team: ReadTeam;
  readonly member: TeamMemberView;
  readonly prompt: string | null;
  readonly parent: string | undefined;
  readonly restore: boolean;
}

/** A refusal is of this member alone; without a daemon there is nothing more to do. */
async function bring(io: Io, client: Client, wanted: Wanted): Promise<Brought> {
  const { team, member } = wanted;
  const { name } = member;
  try {
    const there = await present(client, team.team, name);
    if (there && isLive(there)) return { member: name, outcome: 'present', session: there };
    const killed = wanted.restore ? await killedMembers(client, team.team) : [];
    const ended = there ?? killed.find((each) => each.member?.name === name);
    if (ended) return { member: name, outcome: 'restored', ...(await restored(io, client, ended)) };
    return { member: name, outcome: 'started', session: await spawned(io, client, wanted) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    // Somebody else has just brought it up.
    const there = await present(client, team.team, name);
    if (there && isLive(there)) return { member: name, outcome: 'present', session: there };
    return { member: name, outcome: 'failed', error: `${name}: ${error.message}` };
  }
}

async function present(client: Client, team: string, name: string): Promise<SessionView | undefined> {
  return (await teams(client)).get(team)?.find(({ member }) => member?.name === name);
}

async function restored(io: Io, client: Client, { id }: SessionView) {
  const after = await newestEvent(client, id);
  const session = await client.ask('POST /sessions/{ref}/restore', {
    ref: id,
    body: { env: environment(io), requester_session_id: ownSessionId(io) },
  });
  return { session, after };
}

async function spawned(
  io: Io,
  client: Client,
  { team, member, prompt, parent }: Wanted,
): Promise<SessionView> {
  const { working_dir, provider, model, options, worktree, tags } = member;
  const body = {
    ...{ working_dir, provider, model, options, worktree, tags },
    name: `${team.team}.${member.name}`,
    member: { team: team.team, name: member.name },
    parent_session_id: parent,
    env: environment(io),
  };
  if (prompt === null) return client.ask('POST /sessions', { body });
  const { session_id: ref } = await client.ask('POST /sessions/spawn', { body: { ...body, prompt } });
  return client.ask('GET /sessions/{ref}', { ref });
}

function lineOf(
  { team }: ReadTeam,
  { member, outcome, session }: Brought,
  parent: string | undefined,
): string {
  if (!session) return `${team}.${member} was not started.\n`;
  const called = nameAndId(session);
  if (outcome === 'started') return `Started ${called} in ${safeText(session.working_dir)}\n`;
  if (outcome === 'restored') return `Restored ${called}\n`;
  const strange = session.id !== parent && parent !== undefined && session.parent_session_id !== parent;
  const whose = strange ? `, with another parent: ${session.parent_session_id ?? 'none'}` : '';
  return `${called} is there: ${session.phase}${whose}\n`;
}

/** Its agent is ready or asks something, or it has failed. */
async function started(io: Io, client: Client, one: Brought, say: (text: string) => void): Promise<Brought> {
  const { session, outcome, after = 0 } = one;
  if (!session || outcome === 'present') return one;
  try {
    const more = await untilStarted(io, client, { id: session.id, called: nameAndId(session), after });
    if (more) say(`${nameAndId(session)}: ${more}`);
    return one;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    io.err(`Error: ${safeText(error.message)}\n`);
    return { ...one, outcome: 'failed', error: error.message };
  }
}
