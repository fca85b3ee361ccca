// All time comes from here, so that every behaviour can be tested in virtual time.
export interface Clock {
  /** Milliseconds since 1970. Never goes back while the process lives. */
  now(): number;
  /** Calls back once, not before `delay` ms have passed. */
  timer(delay: number, callback: () => void): { cancel(): void };
}
