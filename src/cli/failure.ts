// A command that ends in anything but success throws one of these; `run` turns it into words and an exit code.
/** 1: refused or failed. 2: no server, or not inside a session. */
export type FailureCode = 1 | 2;

export class Failure extends Error {
  override readonly name = 'Failure';
  readonly exitCode: FailureCode;
  constructor(message: string, exitCode: FailureCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}
