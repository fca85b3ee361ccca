// What the configuration lets others do who are not the owner of the state directory.
import type { Config } from '../daemon/config.ts';
import { type Finding, ok, warn } from './check.ts';

export function checkAccess({ server: { auth, open_hooks } }: Config): Finding {
  if (auth === 'none')
    return warn(
      'access',
      'server.auth is none: every program and user of this machine can control your agents',
      'Remove it from the configuration, and let clients send the token (Authorization: Bearer).',
    );
  if (open_hooks)
    return warn(
      'access',
      'server.open_hooks is true: every user of this machine can report facts about your agents, and so steer them',
      'Remove it once your scripts send the token (Authorization: Bearer).',
    );
  return ok('access', 'the unix socket is yours; TCP needs the token');
}
