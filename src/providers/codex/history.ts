// Codex's own record: a rollout for each thread, in a folder for each day, and a lock for each thread that is open.
import { execFile } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ConversationHead, Environment, History, OpenClaim } from '../../ports/provider.ts';
import { conversationFiles, firstLines, withoutHeader } from '../conversation-files.ts';
import { record, text } from '../values.ts';
import { codexHome } from './home.ts';
import { readCodexRollout } from './rollout.ts';

/** `set`: the variables that the configuration sets for it. */
export const codexHistory = (set: Environment): History => ({
  files: (env) => conversationFiles(join(codexHome({ ...env, ...set }), 'sessions'), 3),
  head: async ({ path }) => headOf(await firstLines(path)),
  open: (env) => claims(join(codexHome({ ...env, ...set }), 'thread-writer-locks')),
});

/** Threads of agents inside an agent are theirs. */
function headOf([first = '', ...lines]: readonly string[]): ConversationHead | null {
  const meta = record(parsed(first).payload);
  const source = text(meta.thread_source);
  const workingDir = text(meta.cwd);
  if (workingDir === null || (source !== null && source !== 'user')) return null;
  const reader = readCodexRollout({ turnId: null, providerId: 'any' });
  for (const line of lines) {
    const prompt = reader.line(line).find((fact) => fact.is === 'prompt-submitted');
    if (prompt) return { workingDir, firstWords: withoutHeader(prompt.text) };
  }
  return null;
}

function parsed(line: string): Record<string, unknown> {
  try {
    return record(JSON.parse(line));
  } catch {
    return {};
  }
}

/** A lock that lies there says nothing; the system knows who holds it. */
async function claims(folder: string): Promise<OpenClaim[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.lock'));
  if (names.length === 0) return [];
  const holders = process.platform === 'linux' ? await fromProc(folder, names) : await fromLsof(folder);
  return holders.map(([name, pid]) => ({ providerId: basename(name, '.lock'), pid, startedAt: null }));
}

type Holder = readonly [name: string, pid: number | null];

async function fromProc(folder: string, names: readonly string[]): Promise<Holder[]> {
  // `1: FLOCK  ADVISORY  WRITE 4321 08:02:131095 0 EOF`; a process that is not of this container has the pid 0 or -1.
  const locks = new Map<string, number | null>();
  for (const line of (await readFile('/proc/locks', 'utf8').catch(() => '')).split('\n')) {
    const [, pid, inode] = /\s(-?\d+)\s[0-9a-f]+:[0-9a-f]+:(\d+)\s/.exec(line) ?? [];
    if (inode !== undefined) locks.set(inode, Number(pid) > 0 ? Number(pid) : null);
  }
  const found = await Promise.all(
    names.map(async (name): Promise<Holder[]> => {
      const inode = String((await stat(join(folder, name)).catch(() => null))?.ino);
      return locks.has(inode) ? [[name, locks.get(inode) ?? null]] : [];
    }),
  );
  return found.flat();
}

function fromLsof(folder: string): Promise<Holder[]> {
  return new Promise((resolve) => {
    execFile('lsof', ['-Fpn', '+d', folder], { timeout: 5_000 }, (_error, stdout) => {
      let pid: number | null = null;
      const holders: Holder[] = [];
      for (const line of stdout.split('\n')) {
        if (line.startsWith('p')) pid = Number(line.slice(1));
        if (line.startsWith('n') && line.endsWith('.lock')) holders.push([line.slice(1), pid]);
      }
      resolve(holders);
    });
  });
}
