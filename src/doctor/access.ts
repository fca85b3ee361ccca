// What the configuration lets others do who are not the owner of the state directory.
import { editing, type Finding, ok, warn } from './check.ts';
import type { Machine } from './machine.ts';

export function checkAccess({ config, paths }: Pick<Machine, 'config' | 'paths'>): Finding | null {
  if (!config) return null;
  const { auth, open_hooks } = config.server;
  const repair = editing(paths.config);
  if (auth === 'none')
    return warn(
      'access',
      'server.auth is none: every program and user of this machine can control your agents',
      { advice: 'Remove it, and let clients send the token (Authorization: Bearer).', repair },
    );
  if (open_hooks)
    return warn(
      'access',
      'server.open_hooks is true: every user of this machine can report facts about your agents, and so steer them',
      { advice: 'Remove it once your scripts send the token (Authorization: Bearer).', repair },
    );
  return ok('access', 'the unix socket is yours; TCP needs the token');
}
