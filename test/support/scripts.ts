// Scripts that people have in their settings (test/fixtures/scripts), run as an agent runs them: they know the daemon
// only by its port.
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const scripts = join(import.meta.dirname, '../fixtures/scripts');

export const canRunScripts = ['jq', 'curl', 'bash'].every(
  (program) => spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0,
);

export interface Place {
  /** Where the copies of the scripts are put. */
  readonly work: string;
  readonly port: number;
}

/** The script as it is printed, but for the port. */
export function scriptFor({ work, port }: Place, name: string): string {
  const file = join(work, name);
  const text = readFileSync(join(scripts, name), 'utf8');
  writeFileSync(file, text.replaceAll('localhost:8420', `localhost:${port}`));
  return file;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
}

/** Its facts on standard input, its session in the environment. */
export function runScript(place: Place, name: string, session: string | null, input: object): Promise<Ran> {
  const env = {
    PATH: process.env.PATH ?? '',
    ...(session !== null && { CLAUDE_SESSION_MANAGER_ID: session }),
  };
  return new Promise((resolve) => {
    const child = execFile('bash', [scriptFor(place, name)], { env }, (_, stdout) =>
      resolve({ code: child.exitCode, stdout }),
    );
    child.stdin?.end(JSON.stringify(input));
  });
}
