// What a transport throws, in a file of its own because a browser has another one.
/** The answer did not come, or not whole. `code` is the system's where it has one. */
export class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}
