import { secondsFrom } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { requireSelf } from '../io.ts';
import { directory } from '../text/directory.ts';
import { lockLine } from '../text/lock.ts';
import { safeJson } from '../text/safe.ts';
import { given } from '../text-argument.ts';

export default defineCommand({
  usage: '"REASON" [--enforce] [--wait SECONDS] [--json]',
  about:
    'Locks this workspace (the git root; each worktree is its own workspace) for your session. The lock stays when your\n' +
    'turn ends, until sm unlock or until the session ends. Others see it. --enforce denies their edits, but not what\n' +
    'their shell commands write. Exits with 0 when you have the lock, else with 1, also while you wait for it. Run it\n' +
    'again to change the reason.',
  options: {
    enforce: { help: 'deny the edits of other sessions in the workspace' },
    wait: {
      help: 'if somebody holds it: get a notice when it is free, or after SECONDS',
      value: 'SECONDS',
    },
    json: jsonOption,
  },
  arity: [1, Number.POSITIVE_INFINITY],
  async run({ args, options, io, client }) {
    const seconds = secondsFrom('--wait', options.wait);
    const self = requireSelf(io, 'Only a session can hold a lock. See all locks with: sm status');
    const reason = given('reason', args.join(' '));
    const answer = await client.ask('POST /sessions/{ref}/lock', {
      ref: self,
      body: {
        reason,
        path: io.cwd,
        enforce: options.enforce,
        ...(seconds && { wait_seconds: seconds }),
      },
    });
    const { status, lock } = answer;
    if (options.json) io.out(safeJson(answer));
    if (status === 'waiting') {
      if (options.json) return 1;
      throw new Failure(
        `Not locked: ${lockLine(lock, io.now())}. You get a notice when it is free, or after ${seconds} s.`,
      );
    }
    if (!options.json)
      io.out(
        `Locked ${directory(lock.workspace)}${lock.enforced ? ' for edits' : ''}. Release it with: sm unlock\n`,
      );
    return 0;
  },
});
