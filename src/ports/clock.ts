// All time comes from here, so that every behaviour can be tested in virtual time.
export interface Clock {
  /** Milliseconds since 1970. Never goes back, also not from one daemon to the next. */
  now(): number;
  /** Calls back once, not before `delay` ms have passed. */
  timer(delay: number, callback: () => void): { cancel(): void };
}
