// Whether an agent has a conversation to resume: its file has a prompt in it.
import { open } from 'node:fs/promises';
import type { TranscriptReader } from '../ports/provider.ts';

export async function hasPromptIn(path: string | null, reader: TranscriptReader): Promise<boolean> {
  const file = path === null ? null : await open(path).catch(() => null);
  if (!file) return false;
  for await (const line of file.readLines())
    if (reader.line(line).some(({ is }) => is === 'prompt-submitted')) return true;
  return false;
}
