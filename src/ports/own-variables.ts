// The values of the variables that a session was given for itself. They may be secrets: each set is a private file of the
// session, and nothing else holds them.
import type { OwnVariables } from '../domain/core/options.ts';

export interface OwnVariableFiles {
  /** On disk when it resolves. Every set is a new file, so that what is stored of the session names one for good. */
  keep(sessionId: string, values: Readonly<Record<string, string>>): Promise<OwnVariables>;
  /** Null: the file is gone, or is not whole. */
  values(sessionId: string, kept: OwnVariables): Promise<Readonly<Record<string, string>> | null>;
  /** Deletes a set that no session names any more. */
  drop(sessionId: string, kept: OwnVariables): Promise<void>;
}
