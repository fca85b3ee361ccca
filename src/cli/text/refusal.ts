// What the daemon refuses, in words, with the command that helps.
import type { RefusalData } from '../../protocol/refusal.ts';
import { oneLine } from './safe.ts';

/** `otherwise`: what the daemon says itself, for what needs no command of ours. */
export function refusalText(data: RefusalData | undefined, otherwise: string): string {
  switch (data?.is) {
    case 'no-session':
      return `No session "${oneLine(data.ref)}". See: sm all`;
    case 'no-message':
      return `No message "${oneLine(data.ref)}". See: sm queue SESSION`;
    case 'not-waiting':
      return data.state === 'withdrawn' ? otherwise : `${otherwise} See: sm trace ${data.message}`;
    case 'not-running':
      return data.phase === 'exited' || data.phase === 'lost'
        ? `${otherwise} Restore it with: sm restore ${data.session.id}`
        : otherwise;
    case 'running':
      return `${otherwise} Open it with: sm attach ${data.session.id}`;
    case 'no-terminal':
      return `${otherwise} Write to it with: sm send ${data.session.id} "TEXT"`;
    default:
      return otherwise;
  }
}
