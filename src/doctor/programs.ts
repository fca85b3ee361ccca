// The programs that sm stands on.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { doorWithoutToken } from '../daemon/open-door.ts';
import { hookPrograms } from '../installed-hooks/programs.ts';
import { findBwrap, versionOfBwrap } from '../sandbox/bwrap.ts';
import { createSandboxes } from '../sandbox/sandboxes.ts';
import { type Finding, fail, installing, isAtLeast, ok, warn } from './check.ts';
import type { Machine } from './machine.ts';

export function checkNode(): Finding {
  const version = process.versions.node;
  return isAtLeast(version, '20')
    ? ok('node', version)
    : fail('node', version, { advice: 'sm needs Node 20 or newer.', repair: installing('nodejs') });
}

export async function checkTmux(): Promise<Finding> {
  const version = await firstLine('tmux', ['-V']);
  const remedy = { advice: 'sm needs tmux 3.2 or newer.', repair: installing('tmux') };
  if (version === null) return fail('tmux', 'not found', remedy);
  return isAtLeast(version.replace(/^tmux (next-)?/, ''), '3.2')
    ? ok('tmux', version)
    : fail('tmux', version, remedy);
}

export async function checkCurl(): Promise<Finding> {
  const version = (await firstLine('curl', ['--version']))?.split(' ')[1] ?? null;
  if (version !== null && isAtLeast(version, '7.55')) return ok('curl', version);
  return warn('curl', version === null ? 'not found' : `${version}, older than 7.55`, {
    advice:
      'Without it, rules and locks do nothing, questions are answered in the terminal only, and the rest is slower.',
    repair: installing('curl'),
  });
}

/** Only who asks for a sandbox needs it: a profile that does is checked as well. */
export async function checkSandbox({
  config,
  paths,
}: Pick<Machine, 'config' | 'paths'>): Promise<Finding | null> {
  if (!config) return null;
  const door = (id: string) => join(paths.doors, id);
  const sandboxes = createSandboxes({ ...paths, door, openDoor: doorWithoutToken(config) });
  const fault = await sandboxes.fault();
  const bwrap = await findBwrap();
  const version = bwrap && (await versionOfBwrap(bwrap));
  return ok('sandbox', fault === null ? `${version}: --sandbox works` : `not here. ${fault}`);
}

export async function checkHooks({ paths }: Pick<Machine, 'paths'>): Promise<Finding> {
  for (const program of [...hookPrograms, 'launch.sh', 'headless.sh', 'sandbox.sh']) {
    const file = join(paths.hooks, program);
    const readable = await access(file, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!readable)
      return fail('hooks', `${file} is missing`, { advice: 'Install sm again.', repair: 'npm install -g .' });
  }
  return ok('hooks', paths.hooks);
}

/** Without lingering, the system ends a user's processes when the last login ends. */
export async function checkLingering(): Promise<Finding | null> {
  if (process.platform !== 'linux' || process.getuid?.() === 0) return null;
  const linger = await firstLine('loginctl', [
    'show-user',
    String(process.getuid?.()),
    '--property=Linger',
    '--value',
  ]);
  if (linger === null) return null;
  return linger === 'yes'
    ? ok('logout', 'agents survive it')
    : warn('logout', 'may end the agents', { repair: 'loginctl enable-linger' });
}

function firstLine(program: string, args: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 5_000 }, (error, stdout) =>
      resolve(error ? null : (stdout.split('\n', 1)[0] ?? '').trim()),
    );
  });
}
