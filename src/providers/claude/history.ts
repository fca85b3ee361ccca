// Claude Code's own record: a file for each conversation, in a folder for each directory it was begun in, and a file for each
// process that runs, which names the conversation that it has open.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationHead, Environment, History, OpenClaim } from '../../ports/provider.ts';
import { conversationFiles, firstLines, withoutHeader } from '../conversation-files.ts';
import { number, text } from '../values.ts';
import { readClaudeTranscript } from './transcript.ts';

/** `folder`: where it keeps its things. */
export const claudeHistory = (folder: (env: Environment) => string): History => ({
  files: (env) => conversationFiles(join(folder(env), 'projects'), 1),
  head: async ({ path }) => headOf(await firstLines(path)),
  open: (env) => claims(join(folder(env), 'sessions')),
});

function headOf(lines: readonly string[]): ConversationHead | null {
  const reader = readClaudeTranscript({ turnId: null });
  for (const line of lines) {
    const prompt = reader.line(line).find((fact) => fact.is === 'prompt-submitted');
    // What the program runs itself looks like a prompt.
    if (!prompt || prompt.text.startsWith('<')) continue;
    const workingDir = text((JSON.parse(line) as { cwd?: unknown }).cwd);
    if (workingDir !== null) return { workingDir, firstWords: withoutHeader(prompt.text) };
  }
  return null;
}

async function claims(folder: string): Promise<OpenClaim[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^\d+\.json$/.test(name));
  const read = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8').catch(() => '')));
  return read.flatMap(claimIn);
}

export function claimIn(said: string): OpenClaim[] {
  try {
    const { sessionId, pid, procStart } = JSON.parse(said) as Record<string, unknown>;
    const providerId = text(sessionId);
    // How it tells the start of a process, it shares with us only on Linux.
    const startedAt = process.platform === 'linux' ? text(procStart) : null;
    return providerId === null ? [] : [{ providerId, pid: number(pid), startedAt }];
  } catch {
    // It is being written just now, or is of another version.
    return [];
  }
}
