/** tmux cannot be used here at all: missing, too old, or it refuses us. The message says what to do. */
export class TerminalUnavailable extends Error {
  override readonly name = 'TerminalUnavailable';
  readonly code = 'terminal-unavailable';
}

/** The program cannot be launched as asked; nothing was started. */
export class LaunchRefused extends Error {
  override readonly name = 'LaunchRefused';
  readonly code = 'launch-refused';
}

/** tmux is there but did not do as it was told. */
export class TerminalFailed extends Error {
  override readonly name = 'TerminalFailed';
  readonly code = 'terminal-failed';
}
