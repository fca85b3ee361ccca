// The file that hooks/launch.sh reads: working directory, environment and command of one agent, as shell
// statements. A private file, because arguments show in the process list and tmux limits their length.

import { shellWord } from './quote.ts';

/** tmux's own; the spawner's would describe another terminal. */
const FROM_TMUX = new Set(['TERM', 'TMUX', 'TMUX_PANE']);

/** What some shell puts into the environment of what it runs. */
const ADDED_BY_SHELLS = ['PWD', 'OLDPWD', 'SHLVL', '_'];

/** Names that some shell gives a meaning of its own, does not let us assign, or complains about. */
const SPECIAL_TO_SHELLS =
  /^(LANG|LC_.*|PWD|OLDPWD|SHLVL|_|PPID|E?UID|GROUPS|IFS|CDPATH|ENV|LINENO|OPT(IND|ARG|ERR)|PS[0-4]|S?RANDOM|SECONDS|EPOCH.*|DIRSTACK|FUNCNAME|HISTCMD|HOSTNAME|PIPESTATUS|SHELLOPTS|COMP_.*|POSIXLY_CORRECT|BASH.*)$/;

export function startFile(spec: {
  argv: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
}): string {
  const variables = Object.entries(spec.env).filter(([name]) => !FROM_TMUX.has(name));
  const exported = variables.filter(([name]) => canExport(name));
  // These few have to be arguments of `env`, and are in the process list until it has become the agent.
  const passed = variables.filter(([name]) => !canExport(name));

  return [
    // "$3" is this file: its secrets are gone from the disk before they are used.
    'rm -f -- "$3"',
    `cd -- ${shellWord(spec.cwd)} || exit 127`,
    'unset PATH',
    ...exported.map(([name, value]) => `export ${name}=${shellWord(value)}`),
    `set -- ${[
      ...ADDED_BY_SHELLS.flatMap((name) => ['-u', name]),
      '--',
      ...passed.map(([name, value]) => shellWord(`${name}=${value}`)),
      ...spec.argv.map(shellWord),
    ].join(' ')}`,
    '',
  ].join('\n');
}

function canExport(name: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !SPECIAL_TO_SHELLS.test(name);
}
