// What else an agent in a sandbox sees: the system, programs, its own configuration, and our part.
import { access, lstat, mkdir, readFile, readlink, realpath, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import type { Visible } from '../ports/provider.ts';
import { type Mount, readsOnly, writes } from './bwrap.ts';
import { isIn } from './workspace.ts';

const system = ['/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32', '/etc', '/opt', '/nix'];

export async function systemMounts(): Promise<Mount[]> {
  const mounts = await Promise.all(
    system.map(async (at): Promise<Mount[]> => {
      const found = await lstat(at).catch(() => null);
      if (!found) return [];
      return [found.isSymbolicLink() ? { at, is: 'link', to: await readlink(at) } : readsOnly(at)];
    }),
  );
  // Names of the network may be looked up by a file that lies elsewhere.
  const resolver = await realpath('/etc/resolv.conf').catch(() => '/etc');
  return [
    ...mounts.flat(),
    ...(isIn(resolver, '/etc') ? [] : [readsOnly(resolver)]),
    { at: '/tmp', is: 'empty' },
    { at: '/var/tmp', is: 'empty' },
    { at: '/run', is: 'empty' },
  ];
}

/** A program that lies outside of the system, with the packages that it is one of. */
export async function programMounts(found: string): Promise<Mount[]> {
  const real = await realpath(found).catch(() => null);
  if (real === null) return [];
  const packages = /^(.*?\/node_modules)\//.exec(real)?.[1];
  const shown: Mount[] = [
    readsOnly(packages ?? real),
    ...(found === real ? [] : [{ at: found, is: 'link', to: real } as const]),
  ];
  return shown.filter(({ at }) => !system.some((folder) => isIn(at, folder)));
}

/** Where a shell would find it. */
export async function onPath(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, name);
    if (folder.startsWith('/') && (await isThere(file))) return file;
  }
  return null;
}

/**
 * Its configuration is a directory of its own, which lasts: what the user has configured stands in it to be read, and
 * what must outlive the sandbox is written through. Nothing that another agent of the user reads can be written.
 */
export async function configurationMounts(visible: Visible, own: string): Promise<Mount[]> {
  await mkdir(own, { recursive: true, mode: 0o700 });
  for (const [from, name] of Object.entries(visible.copies)) {
    const text = await readFile(from).catch(() => null);
    if (text !== null) await writeFile(join(own, name), text, { mode: 0o600, flag: 'wx' }).catch(() => {});
  }
  await mkdir(visible.transcripts, { recursive: true, mode: 0o700 });
  const [reads, written] = await Promise.all([there(visible.reads), there(visible.writes)]);
  return [
    { at: visible.config, is: 'write', from: own },
    ...reads.map(readsOnly),
    ...[...written, visible.transcripts].map(writes),
  ];
}

export interface OurPart {
  readonly home: string;
  readonly hooks: string;
  readonly dist: string;
  readonly bin: string;
  /** Where its own door is. */
  readonly door: string;
  readonly spool: string;
  readonly handoffs: string;
  readonly messages: string;
}

/** Of the state directory, what its hooks and `sm` need: its own door, its own spool, texts for it to read. */
export async function ourMounts(ours: OurPart): Promise<Mount[]> {
  const { home, hooks, dist, bin, door, spool, handoffs, messages } = ours;
  await Promise.all(
    [door, spool, handoffs, messages].map((each) => mkdir(each, { recursive: true, mode: 0o700 })),
  );
  const node = process.execPath;
  return [
    { at: home, is: 'empty' },
    // The folder and not the socket: that is another one after each start of the daemon.
    { at: join(home, 'door'), is: 'read', from: door },
    { at: join(home, 'sm.sock'), is: 'link', to: 'door/sm.sock' },
    // Rules come and go: it always asks.
    { at: join(home, 'denials'), is: 'read', from: '/dev/null' },
    ...[bin, handoffs, messages, dist, hooks].map(readsOnly),
    writes(spool),
    ...(await programMounts(node)),
  ];
}

async function there(paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(paths.map(isThere));
  return paths.filter((_, i) => found[i]);
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** Names that lead out: to the user's keys, desktop and terminals, and to our configuration. */
const leadsOut =
  /^(SSH_(AUTH_SOCK|AGENT_PID|CONNECTION|CLIENT|TTY)|GPG_.*|DBUS_.*|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_RUNTIME_DIR|TMUX.*|SM_CONFIG|TMPDIR|TEMP|TMP)$/;

export const environmentInside = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !leadsOut.test(name)));
