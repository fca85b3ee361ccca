// The settings that one Claude Code process is started with: our hooks and our status line, and nothing else.
// The user's own files are only read, to find the status line that ours takes the place of.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hookEvents } from './hooks.ts';

export interface HookPrograms {
  /** The directory that they are in. */
  readonly directory: string;
  /** How long a question waits for an answer from afar; 0: not at all. */
  readonly answerWaitSeconds: number;
}

export function claudeSettings(programs: HookPrograms, userStatusLine: string | null): object {
  const { directory, answerWaitSeconds: seconds } = programs;
  const run = (program: string) => `sh ${quote(join(directory, program))}`;
  const hook = { type: 'command', command: run('hook.sh'), timeout: 10 };
  // The agent's own limit must not come before the program's.
  const ask = { ...hook, command: `${run('ask.sh')} ${seconds}`, timeout: seconds + 30 };
  const programOf = (event: string) => (event === 'PermissionRequest' && seconds > 0 ? ask : hook);
  return {
    hooks: Object.fromEntries(hookEvents.map((event) => [event, [{ hooks: [programOf(event)] }]])),
    statusLine: {
      type: 'command',
      command:
        userStatusLine === null ? run('status-line.sh') : `${run('status-line.sh')} ${quote(userStatusLine)}`,
    },
  };
}

/** What the user sees below his composer without us: the most specific of his settings wins. */
export async function userStatusLine(configDir: string, workingDir: string): Promise<string | null> {
  const files = [
    join(workingDir, '.claude', 'settings.local.json'),
    join(workingDir, '.claude', 'settings.json'),
    join(configDir, 'settings.json'),
  ];
  for (const file of files) {
    const command = await statusLineIn(file);
    if (command) return command;
  }
  return null;
}

async function statusLineIn(file: string): Promise<string | null> {
  try {
    const { statusLine } = JSON.parse(await readFile(file, 'utf8')) as { statusLine?: { command?: unknown } };
    return typeof statusLine?.command === 'string' ? statusLine.command : null;
  } catch {
    // Not there, or broken: Claude Code tells the user about his own files.
    return null;
  }
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
