// All that is known at the end of a run: what was asked, what the store says, and what the agents themselves have. The
// judge knows nothing else, so that histories can be forged for him.
import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import type { OwedEffect } from '../../src/domain/core/effect.ts';
import type { EventBody } from '../../src/domain/core/event.ts';
import type { Message } from '../../src/domain/core/message.ts';
import type { SessionId } from '../../src/domain/core/names.ts';
import type { State } from '../../src/domain/core/session.ts';
import { openSqliteStore } from '../../src/store/sqlite/store.ts';
import { type Entry, readLog } from './agent-log.ts';

/** A message that was asked for. */
export interface Asked {
  /** Words that stand in no other message. */
  readonly words: string;
  readonly to: SessionId;
  /** `unknown`: the daemon died over it. */
  readonly answer: 'ok' | 'refused' | 'unknown';
}

export interface Told {
  readonly number: number;
  readonly session: SessionId;
  readonly at: number;
  readonly body: EventBody;
}

export interface History {
  readonly asked: readonly Asked[];
  readonly messages: readonly Message[];
  readonly events: readonly Told[];
  /** Sessions that were not killed. */
  readonly states: readonly State[];
  readonly owed: readonly OwedEffect[];
  /** What each agent has written down itself, conversation after conversation. */
  readonly logs: ReadonlyMap<SessionId, readonly Entry[]>;
  /** Files that are left in the spool. */
  readonly spooled: number;
}

/** The daemon is at rest, or has ended. */
export async function readHistory(
  home: string,
  asked: readonly Asked[],
  transcripts: ReadonlyMap<SessionId, string | null>,
): Promise<History> {
  const file = join(home, 'sm.db');
  const db = new DatabaseSync(file, { readOnly: true });
  const rows = db.prepare('SELECT number, session_id AS session, at, body FROM event ORDER BY number').all();
  const bodies = db.prepare('SELECT body FROM message').all() as { body: string }[];
  db.close();
  const store = openSqliteStore(file);
  const { states, owed } = await store.load();
  await store.close();
  return {
    asked,
    messages: bodies.map(({ body }) => JSON.parse(body)),
    events: (rows as (Omit<Told, 'body'> & { body: string })[]).map((row) => ({
      ...row,
      body: JSON.parse(row.body),
    })),
    states,
    owed,
    logs: new Map([...transcripts].map(([id, path]) => [id, path ? logIn(dirname(path)) : []])),
    spooled: transcripts.size > 0 ? filesIn(join(home, 'spool')) : 0,
  };
}

/** Every agent works in a folder of its own. When a file was made is what the disk says, which no moved clock changes. */
function logIn(folder: string): Entry[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  const born = (name: string) => statSync(join(folder, name)).birthtimeMs;
  return files.sort((a, b) => born(a) - born(b)).flatMap((name) => readLog(join(folder, name)));
}

const filesIn = (spool: string): number =>
  readdirSync(spool, { recursive: true }).filter((name) => String(name).endsWith('.hook')).length;
