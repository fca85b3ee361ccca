// Which conversation a Claude Code process has open, by its own record: a file with its pid, which it writes anew when it
// is cleared. It tells also of a clear whose hooks were lost.
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { OpenConversations } from '../../ports/provider.ts';
import { claimIn } from './history.ts';

const nothingNew: OpenConversations = { open: [], folder: null };

/** The present one and the one behind it, if the process has another one open than we know of. */
export async function openConversation(
  pid: number,
  { context, process }: Session,
): Promise<OpenConversations> {
  const { providerId: present, transcript } = context;
  if (present === null || !transcript || process.state !== 'running') return nothingNew;
  const project = dirname(transcript.path);
  const file = join(dirname(dirname(project)), 'sessions', `${pid}.json`);
  const [claim] = claimIn(await readFile(file, 'utf8').catch(() => ''));
  if (!claim || claim.pid !== pid || claim.providerId === present) return nothingNew;
  // Left behind by an earlier process of the same number.
  if (claim.startedAt !== null && process.startedAt !== null && claim.startedAt !== process.startedAt)
    return nothingNew;
  const { providerId } = claim;
  return {
    open: [
      { providerId: present, transcriptPath: transcript.path },
      { providerId, transcriptPath: join(project, `${providerId}.jsonl`) },
    ],
    folder: null,
  };
}
