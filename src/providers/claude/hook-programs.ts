// Which of our programs runs at a hook.

export interface HookPrograms {
  /** The directory that they are in. */
  readonly directory: string;
  /** How long a question waits for an answer from afar; 0: not at all. */
  readonly answerWaitSeconds: number;
}

/** The program for an event, with its arguments, and the agent's own limit, which must not come before the program's. */
export function programFor(event: string, answerWaitSeconds: number): { program: string; timeout: number } {
  return event === 'PermissionRequest' && answerWaitSeconds > 0
    ? { program: `ask.sh ${answerWaitSeconds}`, timeout: answerWaitSeconds + 30 }
    : { program: 'hook.sh', timeout: 10 };
}

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
