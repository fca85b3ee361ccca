// Quoting for the two languages that we have to write: tmux commands and POSIX shell.

/** One word for tmux's command parser. A control-mode command is one line, so a newline needs its own escape. */
export function tmuxWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''").replaceAll('\n', `'"\\n"'`)}'`;
}

/** One line for the control client: words quoted, commands separated. */
export function tmuxLine(commands: readonly (readonly string[])[]): string {
  return commands.map((words) => words.map(tmuxWord).join(' ')).join(' ; ');
}

/** One word for a POSIX shell, whatever it contains (except NUL, which no argument can hold). */
export function shellWord(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}
