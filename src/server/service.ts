// What the routes can ask of the program.

import type { Amount } from '../domain/core/budget.ts';
import type { Prices } from '../domain/core/spending.ts';
import type { Engine } from '../engine/engine.ts';
import type { PlaceCall } from '../intake/calls.ts';
import type { Clock } from '../ports/clock.ts';
import type { Documents } from '../ports/documents.ts';
import type { Notifications } from '../ports/notifications.ts';
import type { OwnVariableFiles } from '../ports/own-variables.ts';
import type { Policies } from '../ports/policies.ts';
import type { Processes } from '../ports/processes.ts';
import type { Profile } from '../ports/profile.ts';
import type { Provider } from '../ports/provider.ts';
import type { Random } from '../ports/random.ts';
import type { Sandboxes } from '../ports/sandbox.ts';
import type { Search } from '../ports/search.ts';
import type { Store } from '../ports/store.ts';
import type { TeamFile } from '../ports/team-file.ts';
import type { Terminal } from '../ports/terminal.ts';
import type { Triggers } from '../ports/triggers.ts';
import type { Worktrees } from '../ports/worktrees.ts';
import type { Power } from './allowed.ts';
import type { Codes } from './codes.ts';
import type { Fleet } from './fleet.ts';
import type { Page } from './page.ts';
import type { RemindSettings } from './reminders.ts';
import type { Screens } from './screens.ts';
import type { Stream } from './stream.ts';
import type { ViewTexts } from './view-texts.ts';

export interface Service {
  readonly version: string;
  readonly pid: number;
  readonly startedAt: number;
  readonly stateDir: string;
  readonly engine: Engine;
  readonly store: Store;
  readonly search: Search;
  readonly stream: Stream;
  readonly viewTexts: ViewTexts;
  /** Null: there is none, or not yet. */
  readonly fleet: () => Fleet | null;
  /** What another node may do here. */
  readonly allows: (node: string, power: Power) => boolean;
  readonly screens: Screens;
  readonly page: Page;
  readonly codes: Codes;
  /** The TCP port. */
  readonly port: () => number;
  readonly terminal: Terminal;
  readonly random: Random;
  readonly clock: Clock;
  /** In USD for a million tokens of a model, as configured; null: it has none. */
  readonly prices: Prices;
  /** What a new session may use up, and one without a parent with all below it, unless its profile says otherwise. */
  readonly budgets: { readonly session: Amount | null; readonly family: Amount | null };
  readonly provider: (name: string) => Provider | undefined;
  readonly providerNames: readonly string[];
  /** The provider of a new session that names none. */
  readonly standardProvider: string;
  /** The environment of a session whose spawner sent none. */
  readonly defaultEnv: Readonly<Record<string, string>>;
  /** Without what belongs to the spawner alone, its key before all: what comes in here is stored until it is used. */
  readonly cleanEnv: (env: Readonly<Record<string, string>>) => Record<string, string>;
  readonly documents: Documents;
  readonly ownVariables: OwnVariableFiles;
  /** Throws where the text is not that of a team: what is wrong, with lines. */
  readonly readTeam: (text: string, file: string) => TeamFile;
  /** Those of the configuration as it is now; throws where it cannot be read. */
  readonly profiles: () => Readonly<Record<string, Profile>>;
  readonly worktrees: Worktrees;
  readonly sandboxes: Sandboxes;
  /** Whether the contexts of sessions are monitored for which nobody has said otherwise. */
  readonly monitored: boolean;
  /** The percentages at which they are told. */
  readonly marks: { readonly warning: number; readonly critical: number };
  readonly remind: RemindSettings;
  readonly policies: Policies;
  readonly triggers: Triggers;
  readonly notifications: Notifications;
  readonly placeCall: PlaceCall;
  readonly processes: Processes;
  /** Whether that process is gone; one whose terminal was taken away gets a moment to say goodbye. */
  readonly processEnds: (pid: number, startedAt: string | null) => Promise<boolean>;
}
