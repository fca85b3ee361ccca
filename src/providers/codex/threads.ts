// Which threads a Codex process has open: it holds a lock file for each, from its start until its end, also before the
// first prompt, when no hook has run yet. Those of agents inside the agent are among them, and are left out.
import { open, readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OpenConversations } from '../../ports/provider.ts';
import { heldFilesBelow } from '../held-files.ts';

const lockFile = /\/thread-writer-locks\/[0-9a-f-]{36}\.lock$/;

/** The human's own threads, oldest first: the ids begin with the time. They have no rollout until the first prompt. */
export async function openThreads(pid: number): Promise<OpenConversations> {
  const locks = [...new Set(await heldFilesBelow(pid, lockFile))].sort();
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
