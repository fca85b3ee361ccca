// Teams: what a file says, checked as if its members were started.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { invalid } from '../../domain/core/refusal.ts';
import type { TeamMember } from '../../ports/team-file.ts';
import type { TeamMemberView } from '../../protocol/team.ts';
import type { Env } from '../env.ts';
import { checkSession } from '../new-session.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function teamRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('POST /teams/read'), async (c) => {
    const { file, text, env } = c.req.valid('json');
    const { team, members } = readOrRefuse(service, text, file);
    const checked = await Promise.all(members.map((each) => check(service, each, env)));
    const faults = checked.flatMap((each, i) =>
      'refusal' in each ? [`${file}:${members[i]?.line}: ${members[i]?.name}: ${each.refusal.message}`] : [],
    );
    if (faults.length > 0) throw unusable(faults.join('\n'));
    const kinds = checked.map((each) => ('refusal' in each ? '' : each.provider.name));
    return c.json({ team, members: members.map((each, i) => memberView(each, kinds[i] ?? '')) }, 200);
  });
}

function readOrRefuse({ readTeam }: Service, text: string, file: string) {
  try {
    return readTeam(text, file);
  } catch (error) {
    throw unusable((error as Error).message);
  }
}

const unusable = (faults: string): Refused =>
  new Refused(invalid(`The team cannot be started. Fix these lines:\n${faults}`));

const check = (
  service: Service,
  member: TeamMember,
  env: Readonly<Record<string, string>> | undefined,
): ReturnType<typeof checkSession> =>
  checkSession(service, {
    provider: member.agent,
    otherwise: service.standardProvider,
    workingDir: member.directory,
    name: null,
    model: member.model,
    options: member,
    parent: null,
    fromParent: false,
    env,
    prompt: null,
    tags: member.tags,
  });

function memberView(member: TeamMember, provider: string): TeamMemberView {
  const { name, isManager, line, directory, model, worktree, role, keys, prompt, tags } = member;
  return {
    ...{ name, manager: isManager, line, working_dir: directory, provider, model },
    options: {
      profile: member.profile,
      permission_mode: member.permissionMode,
      add_dirs: [...member.addDirs],
      mcp_configs: [...member.mcpConfigs],
      ...(member.sandbox && { sandbox: true }),
      args: [...member.args],
      env: { ...member.env },
    },
    ...{ worktree, role, keys: { ...keys }, prompt, tags: [...tags] },
  };
}
