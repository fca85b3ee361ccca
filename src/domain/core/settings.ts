// What the configuration decides in the domain.

export interface Settings {
  readonly context: {
    /** Whether sessions are monitored for which nobody has said otherwise. */
    readonly enabled: boolean;
    /** Percentages; who reaches one is told. */
    readonly warning: number;
    readonly critical: number;
    /** At the critical mark an agent is asked for its document, and rotated once it stands. */
    readonly autoHandoff: boolean;
  };
  /** Providers whose contexts cannot be handed over. */
  readonly cannotRotate: readonly string[];
  /** The folder for documents that nobody has named a path for. */
  readonly handoffs: string;
  /** How long a session may be blocked on a human before its parent hears of it again, in ms. */
  readonly blockedBound: number;
  /** Whether a session may answer what its children ask. */
  readonly parentsMayAnswer: boolean;
}

export const defaultSettings: Settings = {
  context: { enabled: true, warning: 50, critical: 65, autoHandoff: false },
  cannotRotate: [],
  handoffs: '/handoffs',
  blockedBound: 10 * 60_000,
  parentsMayAnswer: false,
};
