// Which conversation a Copilot process has open: it holds a file in the folder of it, from its start until its end, also
// before the first prompt, when no hook has run yet. A clear opens the next one first, and then lets go of the old one.
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { OpenConversations } from '../../ports/provider.ts';
import { heldFilesBelow } from '../held-files.ts';
import { eventsFile } from './home.ts';

export const heldFile = /\/session-state\/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\/inuse\.\d+\.hold$/;

/** There are two only in the moment of a clear. The events are written from the first prompt on. */
export async function openConversations(pid: number): Promise<OpenConversations> {
  const held = await Promise.all((await heldFilesBelow(pid, heldFile)).map(described));
  held.sort((one, other) => Number(one.since - other.since));
  return {
    open: held.map(({ folder, hasEvents }) => ({
      providerId: basename(folder),
      transcriptPath: hasEvents ? join(folder, eventsFile) : null,
    })),
    folder: held.at(-1)?.folder ?? null,
  };
}

async function described(file: string) {
  const folder = dirname(file);
  const since = (await stat(file, { bigint: true }).catch(() => null))?.birthtimeNs ?? 0n;
  const hasEvents = (await stat(join(folder, eventsFile)).catch(() => null)) !== null;
  return { folder, since, hasEvents };
}
