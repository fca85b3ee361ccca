import { expect, test } from 'vitest';
import { refusalText } from './refusal.ts';

const session = { id: '35c21191', name: 'login' };
const other = { id: 'aaaa1111', name: 'tests' };

test.each([
  [{ is: 'no-session', ref: 'x' }, 'It says. See: sm all'],
  [{ is: 'no-message', ref: 'ab' }, 'It says. See: sm queue SESSION'],
  [{ is: 'no-reminder', ref: 'ab' }, 'It says. See: sm remind --list'],
  [{ is: 'no-rule', ref: 'ab' }, 'It says. See: sm policy'],
  [{ is: 'not-running', session, phase: 'lost' }, 'It says. Restore it with: sm restore 35c21191'],
  [{ is: 'not-running', session, phase: 'starting' }, 'It says.'],
  [{ is: 'running', session }, 'It says. Open it with: sm attach 35c21191'],
  [{ is: 'working', session }, 'It says. Wait until it is idle: sm wait 35c21191 600'],
  [{ is: 'no-terminal', session }, 'It says. Write to it with: sm send 35c21191 "TEXT"'],
  [{ is: 'no-waiting-hook', session }, 'It says. Answer in its terminal: sm attach 35c21191'],
  [
    { is: 'already-answered', session },
    'It says. If its dialog is still open, answer there: sm attach 35c21191',
  ],
  [
    { is: 'asks', session, question: 'Bash: rm x' },
    'It says. Answer it: sm answer 35c21191 deny, or in its terminal: sm attach 35c21191',
  ],
  [{ is: 'not-waiting', message: 'm1', state: 'accepted' }, 'It says. See: sm trace m1'],
  [{ is: 'not-waiting', message: 'm1', state: 'withdrawn' }, 'It says.'],
  [
    { is: 'not-allowed', session, act: 'rename', may: ['person', 'self', 'parent'] },
    'It says. Ask it: sm send 35c21191 "TEXT"',
  ],
  [{ is: 'not-allowed', session, act: 'kill', may: ['person', 'parent'] }, 'It says.'],
  [{ is: 'not-allowed', session, act: 'handoff', may: ['self'] }, 'It says.'],
  [
    { is: 'name-passed-on', session, killed: 'aaaa1111' },
    'It says. Restore that one with: sm restore aaaa1111',
  ],
  [
    { is: 'place-taken', team: 'shop', member: 'login', by: session },
    'It says. To have another one, end it first: sm kill 35c21191',
  ],
  [{ is: 'old-process', session, pid: 42 }, 'It says. End it first: kill 42'],
  [{ is: 'old-process', session, pid: null }, 'It says. End it first: kill PID'],
  [
    { is: 'variables-gone', session, names: ['A', 'B'] },
    'It says. Give them again: sm restore 35c21191 --env A=VALUE --env B=VALUE',
  ],
  [{ is: 'too-many', of: 'reminders', session, most: 200 }, 'It says. Cancel some: sm remind --list'],
  [{ is: 'too-many', of: 'comments', session, most: 100 }, 'It says. See: sm diff 35c21191'],
  [{ is: 'no-comment', ref: 'x' }, 'It says. See: sm diff SESSION'],
  [{ is: 'too-many', of: 'commands', session, most: 20 }, 'It says. See: sm queue 35c21191'],
  [
    { is: 'locked', by: other, workspace: '/repo', reason: 'rebase' },
    'It says. To get a notice when it is free: sm lock "REASON" --wait SECONDS',
  ],
  [{ is: 'holds-another', workspace: '/repo' }, 'It says. Release it first: sm unlock'],
  [{ is: 'no-lock', session }, 'It says. See: sm status'],
  [{ is: 'no-worktree', session }, 'It says. See: sm worktrees'],
  [{ is: 'worktree', session, state: 'making' }, 'It says. Make it with: sm restore 35c21191'],
  [{ is: 'worktree', session, state: 'removing' }, 'It says. See how it goes: sm tail 35c21191'],
  [
    { is: 'worktree', session, state: 'archived' },
    'It says. Bring it back first: sm worktrees restore 35c21191',
  ],
  [{ is: 'worktree', session, state: 'ready' }, 'It says.'],
  [{ is: 'worktree-in-use', session, by: [session] }, 'It says. End it first: sm kill 35c21191'],
  [
    { is: 'worktree-in-use', session, by: [session, other] },
    'It says. End them first: sm kill 35c21191 aaaa1111',
  ],
  [
    { is: 'setup-not-allowed', directory: '/repo' },
    'It says. Read it and allow it with: sm worktrees allow. Or start without it: --no-setup',
  ],
  [{ is: 'gives-away', pattern: 'Bash' }, 'It says. If you mean it, say it again with --yes.'],
  [{ is: 'configured-rule', rule: 'r1' }, 'It says. Delete it there, then: sm down && sm up'],
  [{ is: 'daemon-failed' }, 'It says. See: sm logs'],
  [
    { is: 'nothing-to-review', directory: '/repo', of: 'changes' },
    'It says. Review a branch with --base, or a commit with --commit.',
  ],
  [
    { is: 'nothing-to-review', directory: '/tmp', of: 'repository' },
    'It says. Name what to review with --custom "TEXT".',
  ],
  [
    { is: 'nothing-to-review', directory: '/repo', of: 'revision' },
    'It says. See: git -C /repo log --oneline --all',
  ],
  [{ is: 'name-taken', name: 'login' }, 'It says.'],
  [undefined, 'It says.'],
] as const)('%j has the command that helps', (data, text) => {
  expect(refusalText(data, 'It says.')).toBe(text);
});
