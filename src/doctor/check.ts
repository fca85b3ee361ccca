// One thing that the doctor looks at: what was found and, if it is not well, the command that repairs it.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** What it means, where that is not plain. */
  readonly advice?: string;
  /** A command line; what stands in capitals is for the person to fill in. */
  readonly repair?: string;
  /** Does it, where that can harm nothing, and answers what was done: `sm doctor --fix`. */
  readonly fix?: () => string | Promise<string>;
}

export type Remedy = Pick<Finding, 'advice' | 'fix'> & { readonly repair: string };

export const ok = (name: string, found: string): Finding => ({ name, state: 'ok', found });
export const warn = (name: string, found: string, remedy: Remedy): Finding => ({
  name,
  state: 'warn',
  found,
  ...remedy,
});
export const fail = (name: string, found: string, remedy: Remedy): Finding => ({
  name,
  state: 'fail',
  found,
  ...remedy,
});

/** Whether a version is at least another one; parts that are no numbers count as zero. */
export function isAtLeast(version: string, wanted: string): boolean {
  const parts = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [have, want] = [parts(version), parts(wanted)];
  for (let i = 0; i < want.length; i += 1) {
    const difference = (have[i] ?? 0) - (want[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}

/** Opens a file for the person to change. */
export const editing = (file: string): string => `\${EDITOR:-vi} ${quoted(file)}`;

/** As a shell takes it for one word. */
export const quoted = (word: string): string =>
  /^[\w./:@%+=~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

/** In the checkout that sm was installed from. */
export const updating = 'git pull && npm ci && npm install -g .';

const managers = [
  ['apt-get', 'sudo apt-get install -y'],
  ['dnf', 'sudo dnf install -y'],
  ['pacman', 'sudo pacman -S'],
  ['apk', 'sudo apk add'],
  ['zypper', 'sudo zypper install -y'],
  ['brew', 'brew install'],
] as const;

/** By the package manager of this machine. */
export function installing(name: string, path = process.env.PATH ?? ''): string {
  const there = managers.find(([program]) => isOnPath(program, path));
  return `${(there ?? managers[0])[1]} ${name}`;
}

function isOnPath(program: string, path: string): boolean {
  return path.split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
