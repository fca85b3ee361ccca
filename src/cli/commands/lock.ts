import type { LockAnswer } from '../../protocol/lock.ts';
import { secondsFrom } from '../arguments.ts';
import { sessionPath } from '../client.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { safeJson } from '../format/text.ts';
import { given } from '../limits.ts';
import { lockLine } from '../lock-text.ts';
import { requireSelf } from '../self.ts';
import { directory } from '../session-text.ts';

export default defineCommand({
  usage: '"REASON" [--enforce] [--wait SECONDS] [--json]',
  about:
    'Locks the workspace that you are in (the git root; every worktree is one of its own) for the session that calls.\n' +
    'It stays locked over the end of your turn, until sm unlock or until the session ends. Others see it, and with\n' +
    '--enforce their edits there are denied; what they do by shell commands is not. The exit code is 0 when you have\n' +
    'the lock, else 1: also when you wait for it. Called again by its owner it changes the reason.',
  options: {
    enforce: { help: 'deny the edits of other sessions in the workspace' },
    wait: {
      help: 'if it is held: be told when it is free, or that it is not after so long',
      value: 'SECONDS',
    },
    json: jsonOption,
  },
  arity: [1, Number.POSITIVE_INFINITY],
  async run({ args, options, io, client }) {
    const seconds = secondsFrom('--wait', options.wait);
    const self = requireSelf(
      io,
      'A lock belongs to a session, and ends with it. See all locks with: sm status',
    );
    const reason = given('reason', args.join(' '));
    const answer = await client.send<LockAnswer>('POST', sessionPath(self, '/lock'), {
      reason,
      path: io.cwd,
      enforce: options.enforce,
      ...(seconds && { wait_seconds: seconds }),
    });
    const { status, lock } = answer;
    if (options.json) io.out(safeJson(answer));
    if (status === 'waiting') {
      if (options.json) return 1;
      throw new Failure(
        `Not locked: ${lockLine(lock, io.now())}. You will be told when it is free, or after ${seconds} s.`,
      );
    }
    if (!options.json)
      io.out(
        `Locked ${directory(lock.workspace)}${lock.enforced ? ' for edits' : ''}. Release it with: sm unlock\n`,
      );
    return 0;
  },
});
