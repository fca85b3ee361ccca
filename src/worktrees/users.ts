// Which processes are in a directory: they stand there, or hold something open that lies in it.
import { execFile } from 'node:child_process';
import { readdir, readFile, readlink } from 'node:fs/promises';

export interface User {
  readonly pid: number;
  readonly name: string;
}

/**
 * All that can be seen; null: the system does not tell. Processes that another user owns, or that hide themselves, cannot
 * be seen.
 */
export async function usersOf(folder: string): Promise<User[] | null> {
  return process.platform === 'linux' ? fromProc(folder) : fromLsof(folder);
}

async function fromProc(folder: string): Promise<User[] | null> {
  const pids = await readdir('/proc').catch(() => null);
  if (!pids?.includes('self')) return null;
  const found = await Promise.all(
    pids
      .filter((each) => /^\d+$/.test(each) && Number(each) !== process.pid)
      .map(async (pid) => ((await uses(pid, folder)) ? [{ pid: Number(pid), name: await nameOf(pid) }] : [])),
  );
  return found.flat();
}

async function uses(pid: string, folder: string): Promise<boolean> {
  const isIn = (path: string | null) => path === folder || path?.startsWith(`${folder}/`) === true;
  const link = (name: string) => readlink(`/proc/${pid}/${name}`).catch(() => null);
  if (isIn(await link('cwd')) || isIn(await link('exe')) || isIn(await link('root'))) return true;
  for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => []))
    if (isIn(await link(`fd/${fd}`))) return true;
  // A file can be written through memory when it is no longer open.
  const maps = await readFile(`/proc/${pid}/maps`, 'utf8').catch(() => '');
  return maps.includes(`${folder}/`);
}

async function nameOf(pid: string): Promise<string> {
  return (await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'a process')).trim();
}

/** Its exit code says nothing: it is 1 also when only some files could not be looked at. */
function fromLsof(folder: string): Promise<User[] | null> {
  return new Promise((resolve) => {
    const limits = { timeout: 30_000, maxBuffer: 64 * 1024 * 1024 };
    execFile('lsof', ['-n', '-P', '-w', '-F', 'pcn'], limits, (error, out) => {
      if (error && out === '') return resolve(null);
      const users = new Map<number, User>();
      let pid = 0;
      let name = '';
      for (const line of out.split('\n')) {
        const text = line.slice(1);
        if (line[0] === 'p') pid = Number(text);
        else if (line[0] === 'c') name = text;
        else if (line[0] === 'n' && (text === folder || text.startsWith(`${folder}/`)) && pid !== process.pid)
          users.set(pid, { pid, name });
      }
      resolve([...users.values()]);
    });
  });
}
