// The settings that one Claude Code process is started with: our hooks and our status line, and nothing else.
// The user's own files are only read, to find the status line that ours takes the place of.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type HookPrograms, hookGroup, ourHooks, quote } from './hook-programs.ts';
import { isInstalled, userCommandIn } from './installed.ts';

export function claudeSettings(programs: HookPrograms, userStatusLine: string | null): object {
  const statusLine = running(programs, 'status-line.sh');
  return {
    hooks: hookSettings(programs),
    statusLine: {
      type: 'command',
      command: userStatusLine === null ? statusLine : `${statusLine} ${quote(userStatusLine)}`,
    },
  };
}

/** Our hooks, by their event; with `events`, only those. */
export function hookSettings(programs: HookPrograms, events?: readonly string[]): object {
  const hooks = ourHooks(programs.answerWaitSeconds).filter(({ event }) => events?.includes(event) ?? true);
  return Object.fromEntries(
    hooks.map((hook) => [hook.event, [hookGroup(hook, running(programs, hook.program))]]),
  );
}

const running = ({ directory }: HookPrograms, program: string): string => `sh ${quote(directory)}/${program}`;

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
