import { defineCommand, jsonOption } from '../command.ts';
import { findSession } from '../find-session.ts';
import { printLines } from '../io.ts';
import { diffLines } from '../text/diff.ts';
import { safeJson } from '../text/safe.ts';

export default defineCommand({
  usage: 'SESSION [PATH] [--uncommitted] [--json]',
  about:
    'Shows what a session has changed where it works, files that git does not know included, and the comments on it that were\n' +
    'not sent yet. A worktree of its own is compared with the branch that it began from, any other checkout with its last\n' +
    'commit. Of a large file, or of very many, only the names are shown: give a PATH to see more of one. Write comments on\n' +
    'the page (sm open); they go to the agent as one message.',
  options: {
    uncommitted: { help: 'only what is not committed, also in a worktree of its own' },
    json: jsonOption,
  },
  async run({ args: [ref = '', path], options, io, client }) {
    const { id } = await findSession(io, client, ref);
    const query = { uncommitted: options.uncommitted, ...(path !== undefined && { path }) };
    const [diff, { comments }] = await Promise.all([
      client.ask('GET /sessions/{ref}/diff', { ref: id, query }),
      client.ask('GET /sessions/{ref}/comments', { ref: id }),
    ]);
    if (options.json) return io.out(safeJson({ ...diff, comments }));
    printLines(io, diffLines(io, diff, comments));
  },
});
