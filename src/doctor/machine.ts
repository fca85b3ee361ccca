// What the checks go by, found out once.
import type { Config } from '../daemon/config.ts';
import type { Paths } from '../daemon/paths.ts';
import type { Provider } from '../ports/provider.ts';
import type { Finding } from './check.ts';

export interface Machine {
  readonly paths: Paths;
  readonly configuration: Finding;
  /** Null: it cannot be used, so that nothing that hangs on it is looked at. */
  readonly config: Config | null;
  readonly daemon: Finding;
  /** Null: no daemon answers. */
  readonly health: Health | null;
  /** Those that a user brings along. */
  readonly agents: readonly Provider[];
}

export interface Health {
  readonly pid: number;
  readonly version: string;
}
