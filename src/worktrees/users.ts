// Which processes are in a directory: they stand there, or hold something open that lies in it.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

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
  const found: User[] = [];
  for (const pid of pids) {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) continue;
    if (await uses(pid, folder)) found.push({ pid: Number(pid), name: nameOf(pid) });
    await turn();
  }
  return found;
}

/** So many files of a process are looked at before others have their turn. */
const atATime = 200;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** These files are in memory: to wait for each one would take ten times as long as to read it. */
async function uses(pid: string, folder: string): Promise<boolean> {
  const isIn = (path: string | null) => path === folder || path?.startsWith(`${folder}/`) === true;
  const link = (name: string) => or(() => readlinkSync(`/proc/${pid}/${name}`), null);
  if (isIn(link('cwd')) || isIn(link('exe')) || isIn(link('root'))) return true;
  const files = or(() => readdirSync(`/proc/${pid}/fd`), []);
  for (const [at, file] of files.entries()) {
    if (isIn(link(`fd/${file}`))) return true;
    if (at % atATime === atATime - 1) await turn();
  }
  // A file can be written through memory when it is no longer open.
  return or(() => readFileSync(`/proc/${pid}/maps`, 'utf8'), '').includes(`${folder}/`);
}

const nameOf = (pid: string): string =>
  or(() => readFileSync(`/proc/${pid}/comm`, 'utf8'), 'a process').trim();

/** What is another user's, or has ended meanwhile, cannot be read. */
function or<Found>(read: () => Found, otherwise: Found): Found {
  try {
    return read();
  } catch {
    return otherwise;
  }
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
