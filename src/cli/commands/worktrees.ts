import type { WorktreeView } from '../../protocol/worktree.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { printLines } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { worktreeTable } from '../text/worktree.ts';

export default defineCommand({
  usage: '[--json]',
  about: 'Lists the worktrees that sm made for sessions, also for those that have ended.',
  options: { json: jsonOption },
  arity: [0, 0],
  async run({ options, io, client }) {
    const { worktrees } = await client.get<{ worktrees: WorktreeView[] }>('/worktrees');
    if (options.json) return io.out(safeJson({ worktrees }));
    if (worktrees.length === 0) return io.out('No worktrees. Make one with: sm spawn --worktree "PROMPT"\n');
    printLines(io, worktreeTable(worktrees, io.columns));
  },
});
