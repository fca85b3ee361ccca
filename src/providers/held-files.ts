// Which files a process holds open. An agent holds one for each conversation that it has open: that is no other agent's.
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { join } from 'node:path';

/** Of the process or, as the program that npm installs starts the real one, of one below it. */
export async function heldFilesBelow(pid: number, named: RegExp, depth = 3): Promise<string[]> {
  const held = await heldFiles(pid, named);
  if (held.length > 0 || depth === 0) return held;
  for (const child of await childrenOf(pid)) {
    const found = await heldFilesBelow(child, named, depth - 1);
    if (found.length > 0) return found;
  }
  return [];
}

export async function heldFiles(pid: number, named: RegExp): Promise<string[]> {
  if (process.platform !== 'linux') {
    const names = (await output('lsof', ['-p', `${pid}`, '-Fn'])).split('\n').map((line) => line.slice(1));
    return names.filter((name) => named.test(name));
  }
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch(() => []);
  const links = await Promise.all(files.map((file) => readlink(join(folder, file)).catch(() => '')));
  return links.filter((link) => named.test(link));
}

/** What a program prints; nothing, when it is not there. */
const output = (program: string, args: readonly string[]): Promise<string> =>
  new Promise((resolve) => {
    execFile(program, args, { timeout: 5_000 }, (_error, stdout) => resolve(stdout));
  });

async function childrenOf(pid: number): Promise<number[]> {
  const children =
    process.platform === 'linux'
      ? await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '')
      : await output('pgrep', ['-P', `${pid}`]);
  return children.split(/\s+/).filter(Boolean).map(Number);
}
