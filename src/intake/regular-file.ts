// Paths come from agents and lie in their folders: what is there may be a pipe, at which opening waits for ever and holds one of
// the few threads that files are read with, or a device that has no end.
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

type Links = 'links' | 'no links';

/** Null: nothing is there that is a file. `no links`: what only leads to one is none. */
export async function openRegular(path: string, links: Links = 'links'): Promise<FileHandle | null> {
  const how = constants.O_RDONLY | constants.O_NONBLOCK | (links === 'links' ? 0 : constants.O_NOFOLLOW);
  const file = await open(path, how).catch(() => null);
  const isFile = await file?.stat().then(
    (stats) => stats.isFile(),
    () => false,
  );
  if (file && isFile) return file;
  await file?.close().catch(() => undefined);
  return null;
}

/** Its text, up to so many bytes; null as above, or when it cannot be read. */
export async function readRegular(path: string, most: number, links?: Links): Promise<string | null> {
  const file = await openRegular(path, links);
  if (!file) return null;
  try {
    const { size } = await file.stat();
    const data = Buffer.alloc(Math.min(size, most));
    const { bytesRead } = await file.read(data, 0, data.length, 0);
    return data.toString('utf8', 0, bytesRead);
  } catch {
    return null;
  } finally {
    await file.close().catch(() => undefined);
  }
}
