// What sm knows of the agents that run: which versions they are, and whether their screens are recognised. Read from
// the database, so that it is told also while the daemon is down.
import { existsSync } from 'node:fs';
import { DatabaseSync } from '@photostructure/sqlite';
import { cardOf, installing } from '../providers/cards.ts';
import { type Finding, ok, warn } from './check.ts';
import type { Machine } from './machine.ts';

interface RunningSession {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly version: string | null;
  /** Its screen has not been recognised for so long that somebody was told. */
  readonly unrecognised: boolean;
}

export function checkSessions({ paths }: { readonly paths: Pick<Machine['paths'], 'database'> }): Finding[] {
  const sessions = runningSessions(paths.database);
  return [checkScreens(sessions), checkVersions(sessions)];
}

function checkScreens(sessions: readonly RunningSession[]): Finding {
  const strange = sessions.filter(({ unrecognised }) => unrecognised);
  const [first] = strange;
  if (!first) return ok('screens', 'recognised');
  return warn('screens', strange.map((session) => `not recognised: ${named(session)}`).join('\n'), {
    advice: [
      'sm types nothing into a screen that it does not recognise; messages wait. Look at it, and type by hand.',
      `Report it with the output of: sm doctor --report ${first.id}`,
      ...new Set(strange.flatMap(pinning)),
    ].join('\n'),
    repair: `sm attach ${first.id}`,
  });
}

function checkVersions(sessions: readonly RunningSession[]): Finding {
  const untested = sessions.filter(({ provider, version }) => {
    const tested = cardOf(provider)?.tested;
    return tested && version !== null && version !== tested.version;
  });
  const [first] = untested.flatMap(({ provider }) => cardOf(provider)?.tested ?? []);
  if (!first) return ok('versions', 'every running agent has a tested version');
  return warn('versions', untested.map((session) => `not tested: ${named(session)}`).join('\n'), {
    advice: 'Other versions usually work; if something looks odd, try the tested one.',
    repair: installing(first, first.version),
  });
}

/** What to do about a version that the suite has not run on. */
function pinning({ provider, version }: RunningSession): string[] {
  const tested = cardOf(provider)?.tested;
  if (!tested || version === tested.version) return [];
  return [`Or install the tested version, for new sessions: ${installing(tested, tested.version)}`];
}

const named = ({ id, name, provider, version }: RunningSession): string =>
  `${name} (${id}), ${provider} ${version ?? '(version unknown)'}`;

function runningSessions(database: string): RunningSession[] {
  if (!existsSync(database)) return [];
  try {
    const db = new DatabaseSync(database, { readOnly: true });
    try {
      return db.prepare(running).all().map(toSession);
    } finally {
      db.close();
    }
  } catch {
    // A database that cannot be read is told of by its own check.
    return [];
  }
}

const running = `
  SELECT id, body ->> '$.provider' AS provider, body ->> '$.agentVersion' AS version,
    coalesce(body ->> '$.friendlyName', body ->> '$.name') AS name,
    body ->> '$.unrecognised.told' IS NOT NULL AS unrecognised
  FROM session WHERE body ->> '$.process.state' = 'running' ORDER BY name`;

function toSession(row: unknown): RunningSession {
  const { unrecognised, ...rest } = row as Omit<RunningSession, 'unrecognised'> & { unrecognised: number };
  return { ...rest, unrecognised: unrecognised === 1 };
}
