// Starts agents in sandboxes, by bubblewrap.
import { randomUUID } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '../domain/core/options.ts';
import type { Session } from '../domain/core/session.ts';
import type { LaunchPlan, Provider } from '../ports/provider.ts';
import type { Entrance, Sandboxes } from '../ports/sandbox.ts';
import { argumentsFor, faultOfBwrap, findBwrap, type Mount, readsOnly } from './bwrap.ts';
import {
  configurationMounts,
  environmentInside,
  onPath,
  ourMounts,
  programMounts,
  systemMounts,
} from './view.ts';
import { gitIdentity, isIn, sandboxAround, workspaceMounts } from './workspace.ts';

export interface SandboxSettings {
  readonly home: string;
  readonly config: string;
  readonly hooks: string;
  readonly dist: string;
  readonly bin: string;
  readonly spool: string;
  readonly handoffs: string;
  readonly messages: string;
  readonly sessions: string;
  /** The folder of a session's own door. */
  readonly door: (id: string) => string;
  /** Why a session would be heard as somebody else, in spite of all. */
  readonly openDoor: string | null;
}

export function createSandboxes(settings: SandboxSettings): Sandboxes {
  const { home, config, hooks, sessions } = settings;
  let bwrap: string | null = null;

  return {
    async fault() {
      bwrap = await findBwrap();
      return faultOf(settings, bwrap);
    },
    around: (place) => sandboxAround(place, { paths: [homedir(), home, config], state: home }),
    enter(session, sandbox, provider) {
      const file = join(sessions, session.id, `sandbox-${randomUUID()}`);
      /** Only what any login has: whatever the agent's environment says, nothing outside obeys it. */
      const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: homedir(), LANG: 'C.UTF-8' };
      const isOurs = (program: string) => !sandbox.roots.some((root) => isIn(program, root));
      return {
        confine: (argv) => ['/bin/sh', join(hooks, 'sandbox.sh'), bwrap ?? 'bwrap', file, ...argv],
        versionEnv: (program) => (isOurs(program) ? env : null),
        async seal(plan, program) {
          await mkdir(join(sessions, session.id), { recursive: true, mode: 0o700 });
          const said = await written(settings, session, sandbox, provider, plan, program);
          await writeFile(file, said, { mode: 0o600, flag: 'wx' });
          return { env };
        },
      } satisfies Entrance;
    },
  };
}

async function faultOf({ door, openDoor }: SandboxSettings, bwrap: string | null): Promise<string | null> {
  if (process.platform !== 'linux') return 'A sandbox needs Linux: it is made by bubblewrap.';
  if (openDoor !== null) return openDoor;
  if (Buffer.byteLength(join(door('12345678'), 'sm.sock')) > 103)
    return 'The path of the state directory is too long for a door of its own. Set SM_HOME to a shorter one.';
  if (bwrap === null)
    return 'A sandbox needs bubblewrap, and there is no bwrap on the PATH of the daemon. Install the package bubblewrap.';
  const why = await faultOfBwrap(bwrap);
  if (why === null) return null;
  return `bubblewrap cannot make a sandbox here: ${why}. User namespaces may be switched off: look at the settings user.max_user_namespaces, kernel.unprivileged_userns_clone and kernel.apparmor_restrict_unprivileged_userns (sysctl).`;
}

async function written(
  settings: SandboxSettings,
  session: Session,
  sandbox: Sandbox,
  provider: Provider,
  plan: LaunchPlan,
  program: string,
): Promise<string> {
  const { sessions, spool, handoffs } = settings;
  const visible = provider.visible?.(session, plan.env);
  if (!visible) throw new Error(`${provider.title} cannot be started in a sandbox`);
  const cwd = await realpath(session.workingDir);
  const inside = environmentInside(plan.env);
  const path = inside.PATH ?? '';
  const node = await onPath('node', path);
  const ours = {
    ...settings,
    door: settings.door(session.id),
    spool: join(spool, session.id),
    handoffs: join(handoffs, session.id),
  };
  const mounts: Mount[] = [
    ...(await systemMounts()),
    { at: inside.HOME || homedir(), is: 'empty' },
    ...(await programMounts(program)),
    ...(node === null ? [] : await programMounts(node)),
    ...session.options.mcpConfigs.map(readsOnly),
    ...(await workspaceMounts(sandbox)),
    ...(await ourMounts(ours)),
    ...(await configurationMounts(visible, join(sessions, session.id, 'own'))),
  ];
  const env = { ...(await gitIdentity(cwd)), ...inside, ...visible.env, SM_SANDBOX: '1' };
  return argumentsFor(mounts, env, cwd);
}
