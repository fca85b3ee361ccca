// Documents on disk: what an agent wrote is copied into the state directory, and prepared for the hook that gives it
// back after a compaction. That hook only prints a file, so that it needs neither the daemon nor a parser.
import { constants } from 'node:fs';
import { mkdir, open, readFile, readlink, rename, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Documents } from '../ports/documents.ts';

const longest = 1_000_000;

export function createDocuments(folder: string): Documents {
  return {
    async fault(path, within) {
      const read = await readDocument(path, within);
      return 'fault' in read ? read.fault : null;
    },
    async keep(session, context, { path, newerThan, within }) {
      const read = await readDocument(path, within);
      if ('fault' in read) return read;
      if (newerThan !== null && read.writtenAt < newerThan)
        return { fault: `${path} has not been written since it was asked for` };
      const copy = join(folder, session, `${context}.md`);
      await write(join(folder, session), copy, read.text);
      return { copy };
    },
    async publish(session, { path, copy }, { longest: most, print }) {
      const text = shortened(await readFile(copy, 'utf8'), path, most);
      await write(join(folder, session), join(folder, session, 'recovery.json'), print(text));
    },
    read: (copy) => readFile(copy, 'utf8').catch(() => null),
  };
}

type Read = { readonly text: string; readonly writtenAt: number } | { readonly fault: string };

/** Read in one go from one open file, so that it cannot change its nature in between; a pipe must not make us wait. */
async function readDocument(path: string, within?: readonly string[]): Promise<Read> {
  const outside = within && { fault: `${path} is not in what your sandbox has. Write it in ${within[0]}` };
  if (outside && !within.some((folder) => resolve(path).startsWith(`${folder}/`))) return outside;
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => error);
  if (!(file && typeof file === 'object' && 'stat' in file)) return { fault: whyNot(path, file) };
  const handle = file as Awaited<ReturnType<typeof open>>;
  try {
    if (outside && !(await isWithin(handle.fd, within))) return outside;
    const about = await handle.stat();
    if (!about.isFile()) return { fault: `${path} is not a regular file` };
    if (about.size > longest)
      return { fault: `${path} has ${about.size} bytes; the limit is ${longest}. Shorten it` };
    const text = await handle.readFile('utf8');
    if (text.trim() === '') return { fault: `${path} is empty` };
    return { text, writtenAt: about.mtimeMs };
  } finally {
    await handle.close();
  }
}

/** Asked of the file that is open: a link may lead elsewhere by now. Sandboxes are on Linux alone. */
async function isWithin(fd: number, folders: readonly string[]): Promise<boolean> {
  const real = await readlink(`/proc/self/fd/${fd}`);
  return folders.some((folder) => real.startsWith(`${folder}/`));
}

function whyNot(path: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return `File not found: ${path}`;
  if (code === 'EACCES' || code === 'EPERM') return `Cannot read ${path}: no permission`;
  return `Cannot read ${path}: ${message}`;
}

function shortened(text: string, path: string, most: number): string {
  if (text.length <= most) return text;
  const pointer = `\n\n[The document continues. Read all of it: ${path}]`;
  return text.slice(0, most - pointer.length).replace(/[\ud800-\udbff]$/, '') + pointer;
}

/** Whoever reads it sees the old or the new one, and never a half. */
async function write(folder: string, path: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const half = `${path}.new`;
  await writeFile(half, text, { mode: 0o600 });
  await rename(half, path);
}
