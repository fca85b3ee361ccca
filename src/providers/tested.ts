// The versions of the agents that the suites have run on. The tests install these, and the doctor warns of others.
import versions from './tested-versions.json' with { type: 'json' };

export interface Tested {
  /** What npm installs it by. */
  readonly package: string;
  readonly version: string;
}

const byProvider: Readonly<Record<string, Tested>> = { ...versions, 'codex-app': versions.codex };

/** Null: one that no suite runs on. */
export const testedVersion = (provider: string): Tested | null => byProvider[provider] ?? null;
