// The file of a team, and the first prompts that it gives.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { TeamMemberView, TeamView } from '../../protocol/team.ts';
import type { Client } from '../daemon/client.ts';
import { filledTemplate } from '../dispatch/role.ts';
import { findRole } from '../dispatch/roles.ts';
import { Failure } from '../failure.ts';
import { environment, type Io } from '../io.ts';

/** Read where none is named. */
export const usualFile = 'team.yaml';

export interface ReadTeam extends TeamView {
  readonly file: string;
}

/** Every fault of the file is found here, before anything is started. */
export async function readTeam(io: Io, client: Client, given: string): Promise<ReadTeam> {
  const file = resolve(io.cwd, given);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new Failure(`Cannot read the file of the team: ${(error as Error).message}`);
  }
  return { file, ...(await client.ask('POST /teams/read', { body: { file, text, env: environment(io) } })) };
}

export const isFile = (io: Io, given: string): boolean =>
  /[/\\]|\.ya?ml$/.test(given) || existsSync(resolve(io.cwd, given));

/** What each member is told first; null: nothing. */
export async function promptsOf(io: Io, { file, members }: ReadTeam): Promise<Map<string, string | null>> {
  const prompts = new Map<string, string | null>();
  const faults: string[] = [];
  for (const member of members) {
    try {
      prompts.set(member.name, await promptOf(io, member));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      faults.push(`${file}:${member.line}: ${member.name}: ${error.message}`);
    }
  }
  if (faults.length > 0)
    throw new Failure(`The team cannot be started. Fix these lines:\n${faults.join('\n')}`);
  return prompts;
}

async function promptOf(io: Io, { role, keys, prompt, working_dir }: TeamMemberView): Promise<string | null> {
  if (role === null) return prompt;
  const found = await findRole({ env: io.env, cwd: working_dir }, role, []);
  const text = filledTemplate(found, new Map(Object.entries(keys)));
  return [text, ...(prompt === null ? [] : [prompt])].join('\n\n');
}
