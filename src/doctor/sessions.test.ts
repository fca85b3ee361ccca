import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { idleSession } from '../../test/support/session.ts';
import type { Session } from '../domain/core/session.ts';
import { cardOf } from '../providers/cards.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { checkSessions } from './sessions.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** What the doctor finds of these. */
async function examine(...changes: Partial<Session>[]) {
  const database = join(folder, 'sm.db');
  const store = openSqliteStore(database);
  const sessions = changes.map((change, i): Session => {
    const { session } = idleSession({ id: `s${i}`, name: `name-${i}`, provider: 'claude' }).state;
    return { ...session, agentVersion: cardOf('claude')?.tested?.version ?? null, ...change };
  });
  await store.commit({ sessions, messages: [], events: [], owed: [], settled: [], facts: [] });
  await store.close();
  const [screens, versions] = checkSessions({ paths: { database } });
  return { screens, versions };
}
const strange = { since: 1, told: [] };

describe('the doctor', () => {
  it('is content with agents that are known and recognised, and where there is no database yet', async () => {
    const { screens, versions } = await examine({}, { unrecognised: { since: 1, told: null } });
    expect([screens?.state, versions?.state]).toEqual(['ok', 'ok']);
    expect(checkSessions({ paths: { database: join(folder, 'none') } }).map(({ state }) => state)).toEqual([
      'ok',
      'ok',
    ]);
  });

  it('names each session whose screen is not recognised, and says what to do', async () => {
    const { screens } = await examine(
      {},
      { unrecognised: strange, agentVersion: '2.1.999', friendlyName: 'worker' },
      { unrecognised: strange, agentVersion: null, provider: 'codex' },
    );
    expect(screens).toMatchObject({
      state: 'warn',
      found:
        'not recognised: name-2 (s2), codex (version unknown)\nnot recognised: worker (s1), claude 2.1.999',
    });
    expect(screens?.advice?.split('\n')).toEqual([
      'sm types nothing into a screen that it does not recognise; messages wait. Look at it, and type by hand.',
      'Report it with the output of: sm doctor --report s2',
      `Or install the tested version, for new sessions: npm install -g @openai/codex@${cardOf('codex')?.tested?.version}`,
      `Or install the tested version, for new sessions: npm install -g @anthropic-ai/claude-code@${cardOf('claude')?.tested?.version}`,
    ]);
    expect(screens?.repair).toBe('sm attach s2');
  });

  it('does not offer another version for one that the suite has run on', async () => {
    const { screens } = await examine({ unrecognised: strange });
    expect(screens?.advice).not.toContain('npm install');
  });

  it('warns of agents that run on a version which the suite has not run on', async () => {
    const { versions } = await examine(
      { agentVersion: '2.1.999' },
      { agentVersion: '9', provider: 'scripted' },
      { agentVersion: '9', provider: 'codex-app', process: { ...ended, state: 'exited' } },
      {},
    );
    expect(versions).toMatchObject({
      state: 'warn',
      found: 'not tested: name-0 (s0), claude 2.1.999',
      repair: `npm install -g @anthropic-ai/claude-code@${cardOf('claude')?.tested?.version}`,
    });
  });
});

const ended = {
  at: 1,
  code: 0,
  signal: null,
  reason: 'exit code 0',
  screen: null,
  killed: false,
  notStarted: null,
} as const;
