// Copilot's own record: a folder for each conversation, with its events and a file that names the process which has it
// open. That file stays behind when the process is killed; what the process holds open does not.
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type {
  ConversationFile,
  ConversationHead,
  Environment,
  History,
  OpenClaim,
} from '../../ports/provider.ts';
import { firstLines, withoutHeader } from '../conversation-files.ts';
import { heldFiles } from '../held-files.ts';
import { record, text } from '../values.ts';
import { heldFile } from './conversations.ts';
import { readCopilotEvents } from './events.ts';
import { conversationsFolder, eventsFile } from './home.ts';

/** `set`: the variables that the configuration sets for it. */
export const copilotHistory = (set: Environment): History => ({
  files: (env) => files(conversationsFolder({ ...env, ...set })),
  head: async ({ path }) => headOf(await firstLines(path)),
  open: (env) => claims(conversationsFolder({ ...env, ...set })),
});

const conversationId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function idsIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => conversationId.test(name));
}

async function files(folder: string): Promise<ConversationFile[]> {
  const found: ConversationFile[] = [];
  for (const providerId of await idsIn(folder)) {
    const path = join(folder, providerId, eventsFile);
    const entry = await stat(path).catch(() => null);
    if (entry) found.push({ providerId, path, modifiedAt: entry.mtimeMs, size: entry.size });
  }
  return found.sort((a, b) => b.modifiedAt - a.modifiedAt);
}

function headOf(lines: readonly string[]): ConversationHead | null {
  const reader = readCopilotEvents({ turnId: null, providerId: 'any' });
  let workingDir: string | null = null;
  for (const line of lines) {
    workingDir ??= workingDirIn(line);
    const prompt = reader.line(line).find((fact) => fact.is === 'prompt-submitted');
    if (prompt && workingDir !== null) return { workingDir, firstWords: withoutHeader(prompt.text) };
  }
  return null;
}

/** The first line tells where it was begun. */
function workingDirIn(line: string): string | null {
  if (!line.startsWith('{"type":"session.start"')) return null;
  try {
    return text(record(record(record(JSON.parse(line)).data).context).cwd);
  } catch {
    return null;
  }
}

async function claims(folder: string): Promise<OpenClaim[]> {
  const found: OpenClaim[] = [];
  for (const providerId of await idsIn(folder)) {
    for (const name of await readdir(join(folder, providerId)).catch(() => [])) {
      const pid = Number(/^inuse\.(\d+)\.hold$/.exec(name)?.[1] ?? Number.NaN);
      if (Number.isNaN(pid)) continue;
      const held = await heldFiles(pid, heldFile);
      if (held.some((path) => path.endsWith(`/${providerId}/${name}`)))
        found.push({ providerId, pid, startedAt: null });
    }
  }
  return found;
}
