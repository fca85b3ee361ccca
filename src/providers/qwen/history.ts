// Qwen Code's own record: a file for each conversation, and one for each process that runs, which names the conversation
// that it has open.
import { readdir, readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ConversationHead, Environment, History, OpenClaim } from '../../ports/provider.ts';
import { conversationFiles, firstLines, withoutHeader } from '../conversation-files.ts';
import { number, record, text } from '../values.ts';
import { parse, promptOf } from './transcript.ts';

export const qwenFolder = (env: Environment): string => env.QWEN_HOME || join(env.HOME || homedir(), '.qwen');

export const qwenHistory = (folder: (env: Environment) => string): History => ({
  files: (env) => conversationFiles(join(folder(env), 'projects'), 2),
  head: async ({ path }) => headOf(await firstLines(path)),
  open: (env) => claims(join(folder(env), 'sessions')),
});

export function headOf(lines: readonly string[]): ConversationHead | null {
  for (const each of lines) {
    const line = parse(each) ?? {};
    const prompt = promptOf(line);
    const workingDir = text(line.cwd);
    if (prompt !== null && workingDir !== null) return { workingDir, firstWords: withoutHeader(prompt) };
  }
  return null;
}

async function claims(folder: string): Promise<OpenClaim[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+\.json$/.test(name));
  const read = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return read.flatMap(claimIn);
}

export function claimIn(said: string): OpenClaim[] {
  const { sessionId, pid, procStart } = record(parse(said));
  const providerId = text(sessionId);
  // `BOOT:TICKS`, of which we know the second on Linux only.
  const startedAt = process.platform === 'linux' ? (text(procStart)?.replace(/^.*:/, '') ?? null) : null;
  return providerId === null ? [] : [{ providerId, pid: number(pid), startedAt }];
}
