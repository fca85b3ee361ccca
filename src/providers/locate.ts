// Finds a program the way a shell would, and asks it for its version.
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { delimiter, isAbsolute, join } from 'node:path';
import type { Located } from '../ports/provider.ts';

export async function locateProgram(command: string, path: string, advice: string): Promise<Located> {
  const candidates = isAbsolute(command)
    ? [command]
    : path.split(delimiter).map((folder) => join(folder, command));
  for (const candidate of candidates) {
    if (await isExecutable(candidate)) return { found: candidate, version: null };
  }
  return { missing: `${command} was not found${isAbsolute(command) ? '' : ' on the PATH'}. ${advice}` };
}

export function versionOf(program: string, args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    execFile(
      program,
      [...args],
      { timeout: 10_000, env: { ...process.env, DISABLE_AUTOUPDATER: '1' } },
      (error, stdout) => resolve(error ? null : (stdout.match(/\d+\.\d+\.\d+\S*/)?.[0] ?? null)),
    );
  });
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}
