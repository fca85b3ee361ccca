// What the configuration decides in the domain.

export interface Settings {
  /** How long a session may be blocked on a human before its parent hears of it again, in ms. */
  readonly blockedBound: number;
}

export const defaultSettings: Settings = { blockedBound: 10 * 60_000 };
