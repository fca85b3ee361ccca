// bubblewrap: whether it works here, and how it is told what is to be seen.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** What stands at a place inside. */
export type Mount =
  | { readonly at: string; readonly is: 'read' | 'write'; readonly from: string }
  | { readonly at: string; readonly is: 'empty' }
  | { readonly at: string; readonly is: 'link'; readonly to: string };

/**
 * Names of its own for users, processes and shared memory; the network stays, because a model is reached by it. No new
 * session: the terminal is the pane's, which nobody reads after the agent.
 */
const apart = [
  ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
  ...['--die-with-parent', '--cap-drop', 'ALL'],
];

export const readsOnly = (at: string): Mount => ({ at, is: 'read', from: at });
export const writes = (at: string): Mount => ({ at, is: 'write', from: at });

/** As bubblewrap reads them from a file, where nobody else does: the environment is among them. */
export function argumentsFor(
  mounts: readonly Mount[],
  env: Readonly<Record<string, string>>,
  cwd: string,
): string {
  const words = [
    ...apart,
    ...['--proc', '/proc', '--dev', '/dev'],
    ...byDepth(mounts).flatMap(mountWords),
    '--clearenv',
    ...Object.entries(env).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', cwd],
  ];
  return words.map((word) => `${word}\0`).join('');
}

/** What stands in a directory comes after it, and of two at one place the later one is seen. */
function byDepth(mounts: readonly Mount[]): Mount[] {
  const depth = ({ at }: Mount) => at.split('/').filter(Boolean).length;
  return [...mounts].sort((a, b) => depth(a) - depth(b));
}

function mountWords(mount: Mount): string[] {
  switch (mount.is) {
    case 'read':
      return ['--ro-bind', mount.from, mount.at];
    case 'write':
      return ['--bind', mount.from, mount.at];
    case 'empty':
      return ['--perms', '0700', '--tmpfs', mount.at];
    case 'link':
      return ['--symlink', mount.to, mount.at];
  }
}

export async function findBwrap(path = process.env.PATH ?? ''): Promise<string | null> {
  for (const folder of path.split(delimiter)) {
    const file = join(folder, 'bwrap');
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return file;
  }
  return null;
}

/** Tried, because many things can forbid it. Null: it works. */
export function faultOfBwrap(program: string): Promise<string | null> {
  const trial = [...apart, '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--', 'true'];
  return new Promise((resolve) => {
    execFile(program, trial, { timeout: 10_000 }, (error, _out, said) =>
      resolve(error ? said.trim().split('\n').at(-1) || error.message : null),
    );
  });
}

export function versionOfBwrap(program: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, ['--version'], { timeout: 5_000 }, (error, out) => resolve(error ? null : out.trim()));
  });
}
