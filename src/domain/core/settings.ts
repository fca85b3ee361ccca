// What the configuration and the providers decide in the domain.

import type { Rule } from '../policy/rule.ts';
import type { Manners } from './manners.ts';
import type { Prices } from './spending.ts';

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
  /** By the name of the provider. */
  readonly manners: (provider: string) => Manners;
  /** The folder for documents that nobody has named a path for. */
  readonly handoffs: string;
  /** How long a session may be blocked on a human before its parent hears of it again, in ms. */
  readonly blockedBound: number;
  /** Whether a session may answer what its children ask. */
  readonly parentsMayAnswer: boolean;
  /** Whether an agent that has used up its limit is let go on after the reset. */
  readonly resumeAfterLimit: boolean;
  /** What a model costs, where the agent does not tell it. */
  readonly prices: Prices;
  /** The user's rules for permissions, as they stand now. */
  readonly rules: () => readonly Rule[];
}
