// The programs that sm stands on.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import { hookPrograms } from '../installed-hooks/programs.ts';
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
    advice: 'Everything works without it, only slower.',
    repair: installing('curl'),
  });
}

export async function checkHooks({ paths }: Pick<Machine, 'paths'>): Promise<Finding> {
  for (const program of [...hookPrograms, 'launch.sh', 'headless.sh']) {
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
