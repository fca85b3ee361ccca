// Numbered migrations: `user_version` says how many have run. A migration that was released is never edited.
// A row's body is the record itself; the other columns are computed from it, so that a fact has one home.

/** As `event_of_curve` has them: SQLite uses it only for a query that names the same. */
export const isOfCurve = `json_extract(body, '$.type', '$.step') IN (
    '["usage","sampled"]', '["usage","marked"]', '["compaction","began"]', '["compaction","ended"]',
    '["context","began"]', '["handoff","cleared"]', '["session","exited"]', '["session","lost"]'
  )`;

/** As `event_highlight` has them. */
export const isHighlight = `json_extract(body, '$.type') || ' ' || coalesce(json_extract(body, '$.step'), json_extract(body, '$.state')) IN (
    'session created', 'session restored', 'session killed', 'session exited', 'session lost', 'turn ended',
    'question asked', 'question answered', 'question ruled', 'question closed', 'message failed', 'reminder sent',
    'compaction began', 'handoff done', 'handoff failed', 'screen unrecognised', 'worktree finished',
    'limit reached', 'reminder unheeded', 'budget used-up'
  )`;

/** The same, when every step was a kind of its own. */
const wasOfCurve = `json_extract(body, '$.type') IN (
    'usage-sampled', 'context-marked', 'compaction-began', 'compaction-ended', 'context-began', 'handoff-cleared',
    'session-exited', 'session-lost'
  )`;

/** As the indexes of retired sessions have them: the name that is shown, that from the start, when it was killed. */
export const firstName = "json_extract(body, '$.name')";
export const shownName = `coalesce(json_extract(body, '$.friendlyName'), ${firstName})`;
export const killedAt = "json_extract(body, '$.process.at')";

/** It was made, and was not removed: its session is not forgotten. As the index of them has it. */
export const hasWorktree = "json_extract(session.body, '$.worktree.state.is') NOT IN ('making', 'archived')";

/** Both stood in one text: `ended by signal 9: SCREEN`. */
function splitEnd(table: string, path: string, screen: string | null): string {
  const text = `json_extract(body, '${path}')`;
  const colon = `instr(${text} || ': ', ': ')`;
  const reason = `replace(substr(${text}, 1, ${colon} - 1), 'ended by signal', 'killed by signal')`;
  const rest = screen && `, '${screen}', nullif(substr(${text}, ${colon} + 2), '')`;
  return `UPDATE ${table} SET body = json_set(body, '${path}', ${reason}${rest ?? ''})
    WHERE (${text} GLOB 'exit code *' OR ${text} GLOB 'ended by signal *')`;
}

/** Events that had a kind for every step: what each was called, what it is now, and the step, or the state of a message. */
function kinds(): string {
  const steps: Readonly<Record<string, string>> = {
    session: 'created launched ready renamed adopted exited lost killed restored',
    context: 'began ended',
    turn: 'began ended',
    command: 'queued typed failed',
    clear: 'expected asked failed',
    interrupt: 'asked failed',
    compaction: 'began ended',
    handoff: 'prepared scheduled clearing cleared done failed',
    reminder: 'started restarted sent ended',
    lock: 'taken released awaited',
    screen: 'unrecognised recognised',
    worktree: 'output made set-up',
    message:
      'queued held typed accepted answered cut-off interrupted failed died cleared unknown withdrawn expired',
  };
  const others: readonly (readonly [was: string, type: string, step: string])[] = [
    ['message-requeued', 'message', 'queued'],
    ['session-cleared', 'clear', 'done'],
    ['usage-sampled', 'usage', 'sampled'],
    ['context-marked', 'usage', 'marked'],
    ['blocked', 'question', 'asked'],
    ['question-answered', 'question', 'answered'],
    ['rule-answered', 'question', 'ruled'],
    ['answer-taken', 'question', 'answer-taken'],
    ['answer-lost', 'question', 'answer-lost'],
    ['unblocked', 'question', 'closed'],
    ['reminder-set', 'one-shot', 'set'],
    ['reminder-forced', 'one-shot', 'forced'],
    ['reminder-cancelled', 'one-shot', 'cancelled'],
  ];
  const regular = Object.entries(steps).flatMap(([type, all]) =>
    all.split(' ').map((step) => [`${type}-${step}`, type, step] as const),
  );
  return [...regular, ...others]
    .map(
      ([was, type, step]) => `('${was}', '${type}', '$.${type === 'message' ? 'state' : 'step'}', '${step}')`,
    )
    .join(', ');
}
/** A part of the bodies of a table is called otherwise. */
const rename = (table: string, from: string, to: string): string =>
  `UPDATE ${table} SET body = json_remove(json_set(body, '${to}', body -> '${from}'), '${from}')
    WHERE json_type(body, '${from}') IS NOT NULL`;

/** What a session has used up before anybody told of it. */
const nothingSpent = '{"models":[],"costUsd":null,"meters":[],"told":null}';

const kindOf = (event: string): string => `json_extract(${event}.body, '$.type')`;

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
  // Records of contexts outlive the events that they are made from. Of those that began before, what the events say.
  `
  CREATE INDEX event_of_curve ON event (session_id, at) WHERE ${wasOfCurve};
  CREATE TABLE context (
    session_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session_id, number)
  ) STRICT, WITHOUT ROWID;
  INSERT OR REPLACE INTO context
    SELECT session_id, json_extract(body, '$.context'), json_object(
      'providerId', json_extract(body, '$.providerId'),
      'began', json_object('at', at, 'how', json_extract(body, '$.by')),
      'ended', NULL, 'peak', NULL, 'costUsd', NULL, 'compactions', 0
    ) FROM event WHERE json_extract(body, '$.type') = 'context-began' ORDER BY event.number;
  UPDATE context SET body = json_set(context.body, '$.ended', json_object(
      'at', json_extract(next.body, '$.began.at'),
      'how', json_extract(next.body, '$.began.how'), 'by', NULL, 'why', NULL
    ))
    FROM context AS next WHERE next.session_id = context.session_id AND next.number = context.number + 1;
  `,
  // How an agent ended, apart from the last that its terminal showed.
  `
  ${splitEnd('session', '$.process.reason', '$.process.screen')};
  ${splitEnd('event', '$.reason', '$.screen')} AND ${wasOfCurve};
  ${splitEnd('context', '$.ended.why', null)};
  UPDATE session SET body = json_set(body, '$.process.screen', NULL)
    WHERE json_extract(body, '$.process.state') IN ('exited', 'ending')
      AND json_type(body, '$.process.screen') IS NULL;
  `,
  // Names of sessions that were killed.
  `
  CREATE INDEX retired_shown_name ON session (${shownName}, ${killedAt}) WHERE retired;
  CREATE INDEX retired_first_name ON session (${firstName}, ${killedAt}) WHERE retired;
  `,
  // What has ended is found by when it ended, whatever the state is called that it ended in.
  `
  ALTER TABLE message ADD COLUMN ended_at INTEGER GENERATED ALWAYS AS (
    CASE WHEN state NOT IN ('queued', 'held', 'typed', 'accepted') THEN json_extract(body, '$.state.at') END
  ) VIRTUAL;
  CREATE INDEX message_ended ON message (ended_at) WHERE ended_at IS NOT NULL;
  `,
  `
  CREATE INDEX session_ended ON session (json_extract(body, '$.process.at')) WHERE retired;
  `,
  // The events of a message go with it; the others go by their own age.
  `
  DROP INDEX event_at;
  CREATE INDEX event_apart ON event (at) WHERE json_extract(body, '$.message') IS NULL;
  `,
  // Killed sessions that still have a worktree.
  `
  CREATE INDEX retired_worktree ON session (id) WHERE retired AND ${hasWorktree.replace('session.', '')};
  `,
  // One kind of event for each thing. What waits again says from whom and how, as it does at first.
  `
  DROP INDEX event_of_curve;
  UPDATE event SET body = json_remove(json_set(body, '$.type', 'one-shot', '$.step', 'sent'), '$.kind')
    WHERE ${kindOf('event')} = 'reminder-sent' AND json_extract(body, '$.reminder') IS NOT NULL;
  UPDATE event SET body = json_remove(body, '$.reminder') WHERE ${kindOf('event')} = 'reminder-sent';
  UPDATE event SET body = json_set(event.body,
      '$.from', json_extract(first.body, '$.from'), '$.mode', json_extract(first.body, '$.mode'))
    FROM event AS first WHERE ${kindOf('event')} = 'message-requeued' AND ${kindOf('first')} = 'message-queued'
      AND json_extract(first.body, '$.message') = json_extract(event.body, '$.message');
  CREATE TEMP TABLE kind (was TEXT PRIMARY KEY, type TEXT, field TEXT, step TEXT) STRICT, WITHOUT ROWID;
  INSERT INTO kind VALUES ${kinds()};
  UPDATE event SET body = json_set(event.body, '$.type', kind.type, kind.field, kind.step)
    FROM kind WHERE kind.was = ${kindOf('event')};
  DROP TABLE kind;
  CREATE INDEX event_of_curve ON event (session_id, at) WHERE ${isOfCurve};
  `,
  // The words of the glossary.
  `
  ${rename('message', '$.notify.onStop', '$.notify.turnEnd')};
  ${rename('message', '$.notify.onDelivery', '$.notify.accepted')};
  ${rename('session', '$.clear.prompt.notify.onStop', '$.clear.prompt.notify.turnEnd')};
  ${rename('session', '$.clear.prompt.notify.onDelivery', '$.clear.prompt.notify.accepted')};
  ${rename('session', '$.watch', '$.silence')};
  ${rename('pulse', '$.watch', '$.silence')};
  UPDATE event SET body = json_set(body, '$.about', 'failed')
    WHERE ${kindOf('event')} = 'notice-posted' AND json_extract(body, '$.about') = 'not-delivered';
  `,
  // A handoff has the fields of its step, and a reminder says what comes next.
  `
  UPDATE session SET body = json_set(body, '$.handoff', json_patch(
      json_object('path', body ->> '$.handoff.path', 'asked', CASE
        WHEN body ->> '$.handoff.newerThan' IS NULL THEN json_object('by', 'agent', 'idle', body ->> '$.handoff.idle')
        ELSE json_object('by', 'monitor', 'newerThan', body ->> '$.handoff.newerThan') END),
      CASE
        WHEN body ->> '$.handoff.step' = 'scheduled' AND body ->> '$.handoff.until' IS NULL
          THEN json_object('step', 'scheduled')
        WHEN body ->> '$.handoff.step' = 'scheduled'
          THEN json_object('step', 'due', 'at', body ->> '$.handoff.until')
        WHEN body ->> '$.handoff.step' = 'checking'
          THEN json_object('step', 'checking', 'effect', body ->> '$.handoff.effect')
        WHEN body ->> '$.handoff.step' = 'clearing'
          THEN json_object('step', 'clearing', 'copy', body ->> '$.handoff.copy')
        ELSE json_object('step', body ->> '$.handoff.step', 'copy', body ->> '$.handoff.copy',
          'message', body ->> '$.handoff.message')
      END
    ), '$.handoff.ending', body -> '$.handoff.ending') WHERE json_type(body, '$.handoff') = 'object';
  UPDATE session SET body = json_remove(body, '$.handoff.ending') WHERE body ->> '$.handoff.step' = 'scheduled';
  UPDATE session SET body = json_remove(json_set(body,
      '$.reminder.next', iif(body ->> '$.reminder.softened', 'hard', 'soft'),
      '$.reminder.sent', body ->> '$.reminder.sent[#-1]'
    ), '$.reminder.softened') WHERE json_type(body, '$.reminder') = 'object';
  `,
  // The last messages to a session.
  `
  CREATE INDEX message_of_session ON message (session_id, json_extract(body, '$.createdAt'));
  `,
  // An attempt has the fields of its step.
  `
  UPDATE session SET body = json_set(body, '$.attempt', json_patch(
      json_object('id', body ->> '$.attempt.id', 'messages', body -> '$.attempt.messages',
        'text', body ->> '$.attempt.text', 'step', body ->> '$.attempt.step', 'looks', body ->> '$.attempt.looks'),
      CASE body ->> '$.attempt.step'
        WHEN 'typed' THEN json_object('pastes', body ->> '$.attempt.pastes', 'enters', body ->> '$.attempt.enters',
          'unwanted', body -> '$.attempt.unwanted')
        ELSE '{}' END
    ),
    '$.attempt.types', CASE WHEN body ->> '$.attempt.command' IS NULL
      THEN json_object('is', 'messages', 'midTurn', body -> '$.attempt.midTurn')
      ELSE json_object('is', body ->> '$.attempt.command') END,
    '$.attempt.back', CASE WHEN body ->> '$.attempt.onTopOf' IS NULL THEN json('null')
      ELSE json_object('draft', body ->> '$.attempt.onTopOf', 'messages', body -> '$.attempt.standing') END,
    '$.attempt.awaits', CASE WHEN body ->> '$.attempt.effect' IS NULL
      THEN json_object('lookAt', body ->> '$.attempt.checkAt')
      ELSE json_object('effect', body ->> '$.attempt.effect') END,
    CASE body ->> '$.attempt.step' WHEN 'typed' THEN '$.attempt.doubt' ELSE '$.attempt.scrolledSince' END,
    body -> (CASE body ->> '$.attempt.step' WHEN 'typed' THEN '$.attempt.doubt' ELSE '$.attempt.scrolledSince' END)
  ) WHERE json_type(body, '$.attempt') = 'object';
  `,
  // What a digest is made from.
  `
  CREATE INDEX event_highlight ON event (at) WHERE ${isHighlight};
  `,
  // What sessions have used up: sums by context, quarter of an hour and model.
  `
  CREATE TABLE spent (
    session_id TEXT NOT NULL, context INTEGER NOT NULL, at INTEGER NOT NULL, model TEXT NOT NULL,
    input INTEGER NOT NULL, cache_read INTEGER NOT NULL, cache_write INTEGER NOT NULL, output INTEGER NOT NULL,
    cost REAL, PRIMARY KEY (session_id, context, at, model)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX spent_at ON spent (at);
  `,
  // Every session has every field. What an older version did not know is given as none.
  `
  UPDATE session SET body = json_insert(body,
    '$.worktree', NULL, '$.checkout', NULL, '$.agentModel', NULL, '$.member', NULL, '$.tags', json('[]'),
    '$.options', json_object('profile', NULL, 'permissionMode', NULL, 'addDirs', json('[]'), 'mcpConfigs', json('[]'),
      'args', json('[]'), 'variables', NULL),
    '$.rulings', json('[]'), '$.commands', json('[]'), '$.halt', NULL, '$.idleEscapeAt', NULL,
    '$.unrecognised', NULL, '$.stranded', NULL, '$.context.announcedAt', NULL);
  UPDATE session SET body = json_insert(body, '$.turn.tools', 0, '$.turn.closing', NULL)
    WHERE json_type(body, '$.turn') = 'object';
  UPDATE session SET body = json_insert(body, '$.question.call', NULL)
    WHERE json_type(body, '$.question') = 'object';
  UPDATE session SET body = json_insert(body,
      '$.interrupt.for', json_object('message', NULL, 'from', json_object('kind', 'sm')))
    WHERE json_type(body, '$.interrupt') = 'object';
  UPDATE session SET body = json_insert(body, '$.process.under', NULL) WHERE body ->> '$.process.state' = 'running';
  UPDATE session SET body = json_insert(body, '$.process.notStarted', NULL)
    WHERE body ->> '$.process.state' = 'exited';
  UPDATE session SET body = json_set(body, '$.endedTurns', json((
      SELECT json_group_array(json_insert(value, '$.ending', json_object('end', 'unknown')))
        FROM json_each(body, '$.endedTurns')
    ))) WHERE json_array_length(body, '$.endedTurns') > 0;
  `,
  // What is at a turn is a part of it, and fields that mean something only together are one.
  `
  UPDATE session SET body = json_set(body, '$.turn.halt', body -> '$.halt', '$.turn.interrupt',
    CASE json_type(body, '$.interrupt') WHEN 'object' THEN json_patch(
      json_object('turn', body ->> '$.interrupt.turn', 'for', body -> '$.interrupt.for',
        'looks', body ->> '$.interrupt.looks', 'step', body ->> '$.interrupt.step',
        'awaits', CASE WHEN body ->> '$.interrupt.effect' IS NULL
          THEN json_object('lookAt', body ->> '$.interrupt.checkAt')
          ELSE json_object('effect', body ->> '$.interrupt.effect') END),
      CASE body ->> '$.interrupt.step' WHEN 'looking' THEN '{}'
        ELSE json_object('presses', body ->> '$.interrupt.presses',
          'composerWasEmpty', body -> '$.interrupt.composerWasEmpty') END
    ) ELSE json('null') END
  ) WHERE json_type(body, '$.turn') = 'object';
  UPDATE session SET body = json_remove(body, '$.halt', '$.interrupt');
  UPDATE pulse SET body = json_insert(body, '$.spending', json('${nothingSpent}'));
  UPDATE session SET body = json_insert(body, '$.spending', json('${nothingSpent}'))
    WHERE id NOT IN (SELECT id FROM pulse);
  UPDATE session SET body = json_remove(json_set(body, '$.question.hook',
      CASE WHEN body ->> '$.question.fact' IS NULL THEN json('null')
        ELSE json_object('fact', body ->> '$.question.fact', 'answer', body -> '$.question.answer') END
    ), '$.question.fact', '$.question.answer') WHERE json_type(body, '$.question') = 'object';
  UPDATE session SET body = json_set(body, '$.rulings', json((
      SELECT json_group_array(json_remove(
          json_set(value, '$.question.hook', json_object('fact', value ->> '$.question.fact', 'answer', NULL)),
          '$.question.fact', '$.question.answer'
        )) FROM json_each(body, '$.rulings')
    ))) WHERE json_array_length(body, '$.rulings') > 0;
  UPDATE session SET body = json_set(body, '$.commands', json((
      SELECT json_group_array(
          CASE value ->> '$.is' WHEN 'waiting' THEN json_remove(value, '$.attempt') ELSE json(value) END
        ) FROM json_each(body, '$.commands')
    ))) WHERE json_array_length(body, '$.commands') > 0;
  `,
  // What somebody outside is told, and up to which event it is known who.
  `
  CREATE TABLE telling (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL,
    state TEXT GENERATED ALWAYS AS (json_extract(body, '$.state.is')) STORED
  ) STRICT;
  CREATE INDEX telling_open ON telling (number) WHERE state IN ('owed', 'begun');
  CREATE TABLE mark (name TEXT PRIMARY KEY, event INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Of no session it was known that its first conversation is a copy.
  `
  UPDATE session SET body = json_insert(body, '$.forkedFrom', NULL, '$.context.copiedAt', NULL);
  `,
  // When a one-shot comes was hidden by when it was set.
  `
  UPDATE event SET body = json_remove(json_set(body, '$.due', body -> '$.at'), '$.at')
    WHERE json_extract(body, '$.type', '$.step') = '["one-shot","set"]';
  `,
  // No session was being taken over.
  `
  UPDATE session SET body = json_insert(body, '$.takeover', NULL);
  UPDATE session SET body = json_insert(body, '$.process.replaces', NULL)
    WHERE body ->> '$.process.state' = 'launching';
  `,
  // What is known of the limits of accounts.
  `
  CREATE TABLE account_limit (
    account TEXT NOT NULL, window TEXT NOT NULL, body TEXT NOT NULL, PRIMARY KEY (account, window)
  ) STRICT, WITHOUT ROWID;
  UPDATE session SET body = json_insert(body, '$.account', NULL, '$.limits', NULL, '$.standstill', NULL);
  `,
  // A cycle says the highest mark that it has reached.
  `
  UPDATE session SET body = json_remove(json_set(body, '$.cycle.mark', CASE
      WHEN body ->> '$.cycle.critical' THEN 'critical' WHEN body ->> '$.cycle.warned' THEN 'warning' END
    ), '$.cycle.warned', '$.cycle.critical');
  `,
  // Nobody had written comments on what a session has changed.
  `
  UPDATE session SET body = json_insert(body, '$.comments', json('[]'));
  `,
  // Nobody had a budget.
  `
  UPDATE session SET body = json_insert(body, '$.budgets', json('{"own":null,"family":null,"children":[],'
    || '"toldParent":{"tokens":0,"usd":0,"unpriced":0},"above":null,"toldChildren":null,"hold":null}'));
  `,
  // What is kept of the fleet.
  `
  CREATE TABLE letter (id TEXT PRIMARY KEY, created_at INTEGER NOT NULL, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX letter_age ON letter (created_at);
  CREATE TABLE mail (
    number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, node TEXT NOT NULL, body TEXT NOT NULL, expires_at INTEGER
  ) STRICT;
  CREATE TABLE expected (message TEXT PRIMARY KEY, node TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `,
  // Which topic of a chat belongs to which session.
  `
  CREATE TABLE topic (
    chat TEXT NOT NULL, session TEXT NOT NULL, topic INTEGER NOT NULL, PRIMARY KEY (chat, session)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX topic_of ON topic (chat, topic);
  `,
  // That a session was killed was known only by the words of its end.
  `
  UPDATE event SET body = json_insert(body, '$.killed',
      json(CASE WHEN body ->> '$.reason' = 'killed' THEN 'true' ELSE 'false' END))
    WHERE json_extract(body, '$.type', '$.step') = '["session","exited"]';
  `,
  // A digest also counts limits, silences and budgets.
  `
  DROP INDEX event_highlight;
  CREATE INDEX event_highlight ON event (at) WHERE ${isHighlight};
  `,
  // Mail that the stream may have cannot be taken back.
  `
  ALTER TABLE mail ADD COLUMN offered INTEGER NOT NULL DEFAULT 0;
  `,
  // No agent was in a sandbox.
  `
  UPDATE session SET body = json_insert(body, '$.options.sandbox', NULL);
  `,
];
