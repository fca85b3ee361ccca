import type { Client } from '../daemon/client.ts';
import { type Io, printLines } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { worktreeTable } from '../text/worktree.ts';

export async function listWorktrees(
  io: Io,
  client: Client,
  { archived, json }: { archived: boolean; json: boolean },
): Promise<void> {
  const { worktrees } = await client.ask('GET /worktrees', { query: { archived } });
  if (json) return io.out(safeJson({ worktrees }));
  if (worktrees.length === 0 && archived) return io.out('No worktrees have been removed.\n');
  if (worktrees.length === 0) return io.out('No worktrees. Make one with: sm spawn --worktree "PROMPT"\n');
  printLines(io, worktreeTable(worktrees, io.columns));
}
