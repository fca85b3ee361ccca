import { defineCommand, jsonOption } from '../command.ts';
import { ownSessionId, printLines } from '../io.ts';
import { directory } from '../text/directory.ts';
import { safeJson } from '../text/safe.ts';
import { sessionTable } from '../text/session-table.ts';

export default defineCommand({
  usage: '[--json]',
  about:
    'For scripts: exits with 0 when no other session works in this workspace (the git root; each worktree is its own\n' +
    'workspace). Otherwise lists them and exits with 1.',
  options: { json: jsonOption },
  async run({ options, io, client }) {
    const self = ownSessionId(io);
    const view = await client.ask('GET /workspace', { query: { path: io.cwd } });
    const others = view.sessions.filter(({ id }) => id !== self);
    const alone = others.length === 0;
    if (options.json) io.out(safeJson({ workspace: view.workspace, alone, sessions: others }));
    else if (alone) io.out(`Nobody else works in ${directory(view.workspace)}.\n`);
    else printLines(io, sessionTable(io, others));
    return alone ? 0 : 1;
  },
});
