// The settings that one Claude Code process is started with: our hooks and our status line, and nothing else.
// The user's own files are only read, to find the status line that ours takes the place of.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { editTools } from './edits.ts';
import { type HookPrograms, programFor, quote } from './hook-programs.ts';
import { hookEvents } from './hooks.ts';
import { isInstalled, userCommandIn } from './installed.ts';

export function claudeSettings(programs: HookPrograms, userStatusLine: string | null): object {
  const { directory, answerWaitSeconds } = programs;
  const run = (program: string) => `sh ${quote(directory)}/${program}`;
  const hook = (event: string) => {
    const { program, timeout } = programFor(event, answerWaitSeconds);
    return { type: 'command', command: run(program), timeout };
  };
  const edit = { type: 'command', command: run('edit.sh'), timeout: 10 };
  return {
    hooks: {
      ...Object.fromEntries(hookEvents.map((event) => [event, [{ hooks: [hook(event)] }]])),
      // Of all tools only these are asked about, so that no other one waits for it.
      PreToolUse: [{ matcher: editTools.join('|'), hooks: [edit] }],
    },
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
    const command = statusLine?.command;
    if (isInstalled(command)) return userCommandIn(command);
    return typeof command === 'string' ? command : null;
  } catch {
    // Not there, or broken: Claude Code tells the user about his own files.
    return null;
  }
}
