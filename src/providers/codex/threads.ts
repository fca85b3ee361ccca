// Which threads a Codex process has open: it holds a lock file for each, from its start until its end, also before the
// first prompt, when no hook has run yet. Those of agents inside the agent are among them, and are left out.
import { execFile } from 'node:child_process';
import { open, readdir, readFile, readlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OpenConversations } from '../../ports/provider.ts';

/** The human's own threads, oldest first: the ids begin with the time. They have no rollout until the first prompt. */
export async function openThreads(pid: number): Promise<OpenConversations> {
  const locks = [...new Set(await locksOf(pid))].sort();
  const threads = await Promise.all(
    locks.map(async (lock) => {
      const providerId = basename(lock, '.lock');
      const transcriptPath = await findRollout(join(dirname(dirname(lock)), 'sessions'), providerId);
      const own = transcriptPath === null || (await isOwn(transcriptPath));
      return own ? [{ providerId, transcriptPath }] : [];
    }),
  );
  return { open: threads.flat(), folder: locks[0] === undefined ? null : dirname(locks[0]) };
}

/** Of the process or, as the program that npm installs starts the real one, of one below it. */
async function locksOf(pid: number, depth = 3): Promise<string[]> {
  const locks = await locksHeldBy(pid);
  if (locks.length > 0 || depth === 0) return locks;
  for (const child of await childrenOf(pid)) {
    const found = await locksOf(child, depth - 1);
    if (found.length > 0) return found;
  }
  return [];
}

const lockFile = /\/thread-writer-locks\/[0-9a-f-]{36}\.lock$/;

async function locksHeldBy(pid: number): Promise<string[]> {
  if (process.platform !== 'linux') {
    const names = (await output('lsof', ['-p', `${pid}`, '-Fn'])).split('\n').map((line) => line.slice(1));
    return names.filter((name) => lockFile.test(name));
  }
  const folder = `/proc/${pid}/fd`;
  const files = await readdir(folder).catch(() => []);
  const links = await Promise.all(files.map((file) => readlink(join(folder, file)).catch(() => '')));
  return links.filter((link) => lockFile.test(link));
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

/** Rollouts are filed by the day of their thread, in the agent's time zone, which need not be ours. */
async function findRollout(sessions: string, id: string): Promise<string | null> {
  const began = Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);
  for (const days of [0, -1, 1]) {
    const folder = join(sessions, ...dayOf(new Date(began + days * 86_400_000)));
    const names = await readdir(folder).catch(() => []);
    const name = names.find((each) => each.endsWith(`-${id}.jsonl`));
    if (name) return join(folder, name);
  }
  return null;
}

const dayOf = (date: Date): string[] =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => `${part}`.padStart(2, '0'));

/** The first line says who began the thread. */
async function isOwn(rollout: string): Promise<boolean> {
  const file = await open(rollout).catch(() => null);
  if (!file) return true;
  const head = Buffer.alloc(4096);
  const { bytesRead } = await file.read(head, 0, head.length, 0).finally(() => file.close());
  return !/"thread_source":"(?!user")/.test(head.toString('utf8', 0, bytesRead));
}
