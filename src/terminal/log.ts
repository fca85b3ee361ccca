/** What the terminal needs of a logger; pino's fits. */
export interface Log {
  debug(details: object, message: string): void;
  warn(details: object, message: string): void;
}
