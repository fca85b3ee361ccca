// The programs that sm stands on, and the agents that it runs.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';
import type { Paths } from '../daemon/paths.ts';
import type { Provider } from '../ports/provider.ts';
import { askVersion } from '../providers/versions.ts';
import { type Finding, fail, isAtLeast, ok, warn } from './check.ts';

export function checkNode(): Finding {
  const version = process.versions.node;
  return isAtLeast(version, '20') ? ok('node', version) : fail('node', version, 'sm needs Node 20 or newer.');
}

export async function checkTmux(): Promise<Finding> {
  const version = await firstLine('tmux', ['-V']);
  if (version === null)
    return fail(
      'tmux',
      'not found',
      'Install it, for example with: sudo apt-get install -y tmux (macOS: brew install tmux)',
    );
  return isAtLeast(version.replace(/^tmux (next-)?/, ''), '3.2')
    ? ok('tmux', version)
    : fail('tmux', version, 'sm needs tmux 3.2 or newer.');
}

export async function checkCurl(): Promise<Finding> {
  const version = (await firstLine('curl', ['--version']))?.split(' ')[1] ?? null;
  if (version !== null && isAtLeast(version, '7.55')) return ok('curl', version);
  return warn(
    'curl',
    version === null ? 'not found' : `${version}, older than 7.55`,
    'Everything works without it, only slower. Install it with: sudo apt-get install -y curl',
  );
}

export async function checkHooks(paths: Paths): Promise<Finding> {
  for (const program of [
    'hook.sh',
    'start.sh',
    'ask.sh',
    'edit.sh',
    'status-line.sh',
    'report.sh',
    'installed.sh',
    'launch.sh',
  ]) {
    const file = join(paths.hooks, program);
    const readable = await access(file, constants.R_OK).then(
      () => true,
      () => false,
    );
    if (!readable) return fail('hooks', `${file} is missing`, 'Install sm again: npm install -g .');
  }
  return ok('hooks', paths.hooks);
}

export async function checkAgent({ name, tested, locate }: Provider): Promise<Finding> {
  const located = await locate(process.env.PATH ?? '');
  if ('missing' in located) return warn(name, 'not found', located.missing);
  if (!tested) return ok(name, located.found);
  const version = await askVersion(located.versionCommand, process.env);
  if (version === tested.version) return ok(name, `${version} (${located.found})`);
  return warn(
    name,
    `${version ?? 'version unknown'} (${located.found})`,
    `Tested with ${tested.version}. Other versions usually work; if something looks odd, try that one.`,
  );
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
    : warn('logout', 'may end the agents', 'Keep them running with: loginctl enable-linger');
}

function firstLine(program: string, args: string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 5_000 }, (error, stdout) =>
      resolve(error ? null : (stdout.split('\n', 1)[0] ?? '').trim()),
    );
  });
}
