// What the daemon refuses, in words, with the command that helps.
import type { RefusalData } from '../../protocol/refusal.ts';

/** `said`: the daemon's own sentence, which knows of no commands. */
export function refusalText(data: RefusalData | undefined, said: string): string {
  const hint = data && hintFor(data);
  return hint ? `${said} ${hint}` : said;
}

/** What to do next; undefined: nothing that the sentence does not say. */
function hintFor(data: RefusalData): string | undefined {
  switch (data.is) {
    case 'no-session':
      return 'See: sm all';
    case 'node-away':
      return 'See: sm nodes';
    case 'no-message':
      return 'See: sm queue SESSION';
    case 'no-reminder':
      return 'See: sm remind --list';
    case 'no-rule':
      return 'See: sm policy';
    case 'no-comment':
      return 'See: sm diff SESSION';
    case 'no-device':
      return 'See: sm devices';
    case 'name-passed-on':
      return `Restore that one with: sm restore ${data.killed}`;
    case 'conversation-taken':
      return data.killed
        ? `Bring it back with: sm restore ${data.session.id}`
        : `Look at it with: sm why ${data.session.id}`;
    case 'conversation-open':
      if (data.session) return `Leave it there first (/exit), and then: sm restore ${data.session.id}`;
      return data.pid === null
        ? 'Leave it there first.'
        : `Leave it there first (/exit), or end it: sm adopt --conversation ${data.conversation} --end`;
    case 'no-conversation':
      return 'See: sm adopt';
    case 'place-taken':
      return `To have another one, end it first: sm kill ${data.by.id}`;
    case 'not-waiting':
      return data.state === 'withdrawn' ? undefined : `See: sm trace ${data.message}`;
    case 'not-allowed':
      return data.may.includes('self') && data.act !== 'handoff' ? askIt(data.session.id) : undefined;
    case 'not-running':
      return data.phase === 'exited' || data.phase === 'lost'
        ? `Restore it with: sm restore ${data.session.id}`
        : undefined;
    case 'cost-unknown':
      return 'Set the price in the configuration (prices:), or give the budget in tokens, such as 2M.';
    case 'running':
      return `Open it with: sm attach ${data.session.id}`;
    case 'working':
      return `Wait until it is idle: sm wait ${data.session.id} 600`;
    case 'typing':
    case 'moving':
      return 'Try again in a moment.';
    case 'has-terminal':
      return `Open it with: sm attach ${data.session.id}. To let it go on without a terminal: sm takeover ${data.session.id} --back`;
    case 'nothing-said':
      return `Give it something to do first: sm send ${data.session.id} "TEXT"`;
    case 'no-terminal':
      return `Write to it with: sm send ${data.session.id} "TEXT"`;
    case 'asks':
      return `Answer it: sm answer ${data.session.id} deny, or in its terminal: sm attach ${data.session.id}`;
    case 'already-answered':
      return `If its dialog is still open, answer there: sm attach ${data.session.id}`;
    case 'no-waiting-hook':
      return `Answer in its terminal: sm attach ${data.session.id}`;
    case 'too-many':
      if (data.of === 'comments') return `See: sm diff ${data.session.id}`;
      return data.of === 'commands' ? `See: sm queue ${data.session.id}` : 'Cancel some: sm remind --list';
    case 'old-process':
      return `End it first: kill ${data.pid ?? 'PID'}`;
    case 'variables-gone':
      return `Give them again: sm restore ${data.session.id}${data.names.map((name) => ` --env ${name}=VALUE`).join('')}`;
    case 'locked':
      return 'To get a notice when it is free: sm lock "REASON" --wait SECONDS';
    case 'holds-another':
      return 'Release it first: sm unlock';
    case 'no-lock':
      return 'See: sm status';
    case 'no-worktree':
      return 'See: sm worktrees';
    case 'worktree':
      return worktreeHint(data.session.id, data.state);
    case 'worktree-in-use':
      return `End ${data.by.length > 1 ? 'them' : 'it'} first: sm kill ${data.by.map(({ id }) => id).join(' ')}`;
    case 'setup-not-allowed':
      return 'Read it and allow it with: sm worktrees allow. Or start without it: --no-setup';
    case 'gives-away':
      return 'If you mean it, say it again with --yes.';
    case 'configured-rule':
      return 'Delete it there, then: sm down && sm up';
    case 'daemon-failed':
      return 'See: sm logs';
    case 'nothing-to-review':
      return {
        changes: 'Review a branch with --base, or a commit with --commit.',
        repository: 'Name what to review with --custom "TEXT".',
        revision: `See: git -C ${data.directory} log --oneline --all`,
      }[data.of];
    default:
      return undefined;
  }
}

const askIt = (id: string): string => `Ask it: sm send ${id} "TEXT"`;

function worktreeHint(
  id: string,
  state: Extract<RefusalData, { is: 'worktree' }>['state'],
): string | undefined {
  switch (state) {
    case 'making':
      return `Make it with: sm restore ${id}`;
    case 'archived':
      return `Bring it back first: sm worktrees restore ${id}`;
    case 'ready':
      return undefined;
    default:
      return `See how it goes: sm tail ${id}`;
  }
}
