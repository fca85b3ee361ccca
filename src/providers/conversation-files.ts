// Files of conversations, as agents keep them: many, in folders, each with the conversation's id at the end of its name.
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationFile } from '../ports/provider.ts';

const named = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/;
/** As much as holds the first prompt, behind whatever an agent writes before it. */
const headBytes = 256 * 1024;
/** Asked at a time: the system has a limit of its own. */
const atOnce = 64;

/** `depth`: how many folders lie between the root and the files. */
export async function conversationFiles(root: string, depth: number): Promise<ConversationFile[]> {
  const found: ConversationFile[] = [];
  const paths = await pathsIn(root, depth);
  for (let at = 0; at < paths.length; at += atOnce) {
    const some = await Promise.all(paths.slice(at, at + atOnce).map(described));
    found.push(...some.flat());
  }
  return found.sort((a, b) => b.modifiedAt - a.modifiedAt);
}

async function pathsIn(folder: string, depth: number): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (depth === 0)
    return entries
      .filter((entry) => entry.isFile() && named.test(entry.name))
      .map(({ name }) => join(folder, name));
  const folders = entries.filter((entry) => entry.isDirectory());
  return (await Promise.all(folders.map(({ name }) => pathsIn(join(folder, name), depth - 1)))).flat();
}

async function described(path: string): Promise<ConversationFile[]> {
  const entry = await stat(path).catch(() => null);
  const providerId = named.exec(path)?.[1];
  if (!entry || !providerId) return [];
  return [{ providerId, path, modifiedAt: entry.mtimeMs, size: entry.size }];
}

/** The whole lines at its beginning. */
export async function firstLines(path: string): Promise<string[]> {
  const file = await open(path).catch(() => null);
  if (!file) return [];
  const head = Buffer.alloc(headBytes);
  const { bytesRead } = await file.read(head, 0, head.length, 0).finally(() => file.close());
  const lines = head.toString('utf8', 0, bytesRead).split('\n');
  return lines.slice(0, -1);
}

/** What the agent was asked, without the line that we put before a message. */
export const withoutHeader = (prompt: string): string =>
  prompt.replace(/^\[sm\] from [^\n]*#\w+:\s*/, '').trim();
