// Keeps the values of sessions' own variables, in files that only their owner can read.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { OwnVariableFiles } from '../ports/own-variables.ts';

export const isVariableFile = (name: string): boolean => /^env-[0-9a-f-]+\.json/.test(name);

/** `sessions`: where every session has a folder. */
export function ownVariableFiles(sessions: string): OwnVariableFiles {
  const path = (sessionId: string, file: string) => join(sessions, sessionId, file);

  return {
    async keep(sessionId, values) {
      const file = `env-${randomUUID()}.json`;
      const folder = join(sessions, sessionId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const half = `${path(sessionId, file)}.new`;
      const writing = await open(half, 'wx', 0o600);
      try {
        await writing.writeFile(JSON.stringify(values));
        await writing.sync();
      } finally {
        await writing.close();
      }
      await rename(half, path(sessionId, file));
      await synced(folder);
      return { names: Object.keys(values).sort(), file };
    },
    async values(sessionId, { names, file }) {
      try {
        const values = JSON.parse(await readFile(path(sessionId, file), 'utf8')) as Record<string, string>;
        return names.every((name) => typeof values[name] === 'string') ? values : null;
      } catch {
        return null;
      }
    },
    drop: (sessionId, { file }) => rm(path(sessionId, file), { force: true }),
  };
}

/** So that the name of the file is on disk as well. */
async function synced(folder: string): Promise<void> {
  const opened = await open(folder, 'r');
  await opened.sync().finally(() => opened.close());
}
