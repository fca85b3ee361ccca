// Which of our programs runs at which hook.
import { editTools } from './calls.ts';
import { hookEvents } from './hooks.ts';

export interface HookPrograms {
  /** The directory that they are in. */
  readonly directory: string;
  /** How long a question waits for an answer from afar; 0: not at all. */
  readonly answerWaitSeconds: number;
}

export interface Hook {
  readonly event: string;
  /** For which tools; without one, for all. */
  readonly matcher?: string;
  /** The program, with its arguments. */
  readonly program: string;
  /** The agent's own limit, in seconds, which must not come before the program's. */
  readonly timeout: number;
}

export function ourHooks(answerWaitSeconds: number): Hook[] {
  const ask = { program: `ask.sh ${answerWaitSeconds}`, timeout: answerWaitSeconds + 30 };
  const tell = { program: 'hook.sh', timeout: 10 };
  const others: Readonly<Record<string, typeof tell>> = {
    SessionStart: { ...tell, program: 'start.sh' },
    PermissionRequest: ask,
  };
  return [
    ...hookEvents.map((event) => ({ event, ...(others[event] ?? tell) })),
    // Of the other tools only while something is denied, so that none waits for nothing.
    { event: 'PreToolUse', program: ['tool.sh', ...editTools].join(' '), timeout: 10 },
  ];
}

/** A hook as it stands in settings. */
export interface HookGroup {
  readonly matcher?: string;
  readonly hooks: readonly [{ readonly type: 'command'; readonly command: string; readonly timeout: number }];
}

export function hookGroup({ matcher, timeout }: Hook, command: string): HookGroup {
  return { ...(matcher === undefined ? {} : { matcher }), hooks: [{ type: 'command', command, timeout }] };
}

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
