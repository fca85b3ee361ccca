// What an agent must be told once at the most, by whoever tells it and however often he dies over it. The file that
// carries it is gone as soon as the agent has been given it (hooks/headless.sh); a note beside it says that it was on its
// way, and stays until it is settled. So whoever comes later knows which of them may have arrived:
//
//   the file alone       its name was never given away: it may be told again
//   both                 its name may be lost: giving it away again does nothing if it was not
//   the note alone       the agent has been given it
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { access, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from './connection.ts';

export interface Once<Note> {
  /** What was on its way when this was opened, by name. */
  readonly notes: ReadonlyMap<string, Note>;
  /** False: it could not be handed over, and the agent has not been given it. */
  tell(name: string, message: object, note: Note): Promise<boolean>;
  /** What became of it is known, and kept. */
  settle(name: string): Promise<void>;
}

export function tellOnce<Note>(folder: string, connection: () => Connection): Once<Note> {
  const noted = join(folder, 'told');
  mkdirSync(noted, { recursive: true, mode: 0o700 });
  const notes = new Map<string, Note>();
  for (const name of readdirSync(noted)) {
    const note = read(join(noted, name));
    if (note !== null) notes.set(decodeURIComponent(name), note as Note);
  }

  async function settle(name: string): Promise<void> {
    notes.delete(name);
    await rm(join(noted, encodeURIComponent(name)), { force: true });
  }

  return {
    notes,
    async tell(name, message, note) {
      const file = encodeURIComponent(name);
      if (notes.has(name))
        return (await isThere(join(folder, 'say', file))) ? connection().sayAgain(file) : true;
      const went = await connection().say(message, file, async () => {
        const half = join(folder, `${file}.note`);
        await writeFile(half, JSON.stringify(note), { mode: 0o600 });
        await rename(half, join(noted, file));
        notes.set(name, note);
      });
      // What is only late may still arrive.
      if (!went && !(await connection().reach())) await settle(name);
      return went;
    },
    settle,
  };
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

function read(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    // Whoever wrote it died over it, before anything was given away.
    return null;
  }
}
