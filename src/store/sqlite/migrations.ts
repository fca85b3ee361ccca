// Numbered migrations: `user_version` says how many have run. A migration that was released is never edited.
// A row's body is the record itself; the other columns are computed from it, so that a fact has one home.
export const migrations: readonly string[] = [
  `
  CREATE TABLE session (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    retired INTEGER GENERATED ALWAYS AS (
      json_extract(body, '$.process.state') = 'exited' AND json_extract(body, '$.process.killed')
    ) STORED
  ) STRICT;
  CREATE INDEX session_retired ON session (retired);

  CREATE TABLE message (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL,
    session_id TEXT GENERATED ALWAYS AS (json_extract(body, '$.to')) STORED,
    state TEXT GENERATED ALWAYS AS (json_extract(body, '$.state.is')) STORED
  ) STRICT;
  CREATE INDEX message_open ON message (session_id) WHERE state IN ('queued', 'held', 'typed', 'accepted');

  CREATE TABLE event (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    session_id TEXT NOT NULL,
    at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX event_of_session ON event (session_id, number);
  CREATE INDEX event_at ON event (at);
  CREATE INDEX event_of_message ON event (json_extract(body, '$.message'))
    WHERE json_extract(body, '$.message') IS NOT NULL;

  CREATE TABLE owed (
    id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL,
    effect TEXT NOT NULL
  ) STRICT;

  CREATE TABLE fact (
    id TEXT PRIMARY KEY,
    at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX fact_at ON fact (at);
  `,
  // What nearly every fact changes, apart from what hardly any does: many sessions share a page, and a commit costs by
  // the page. A session from before has all of it in its own row.
  `
  CREATE TABLE pulse (
    id TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];
