// What is kept of the fleet: letters to sessions of other nodes, mail that is owed, and whom to tell of which message.
import type { FleetStore, Letter, Mail, OwedMail } from '../../ports/fleet.ts';
import { type Database, transact, transactLazily } from './database.ts';

export function storedFleet(db: Database): FleetStore {
  const sql = {
    letter: db.prepare('SELECT body FROM letter WHERE id = ?'),
    starting: db.prepare('SELECT body FROM letter WHERE id >= ? AND id < ? ORDER BY id LIMIT ?'),
    open: db.prepare(
      `SELECT body FROM letter WHERE body ->> '$.node' = ?
        AND body ->> '$.state' IN ('queued', 'held', 'typed', 'accepted') ORDER BY created_at`,
    ),
    add: db.prepare('INSERT INTO letter VALUES (?, ?, ?)'),
    put: db.prepare('UPDATE letter SET body = ? WHERE id = ?'),
    leave: db.prepare("UPDATE letter SET body = json_set(body, '$.leftAt', ?) WHERE id = ?"),
    owe: db.prepare(
      'INSERT INTO mail (id, node, body, expires_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    owed: db.prepare(
      'SELECT number, id, node, body, expires_at FROM mail WHERE number > ? ORDER BY number LIMIT ?',
    ),
    drop: db.prepare('DELETE FROM mail WHERE id = ?'),
    offer: db.prepare('UPDATE mail SET offered = 1 WHERE id = ?'),
    keepBack: db.prepare('DELETE FROM mail WHERE id = ? AND offered = 0'),
    expect: db.prepare('INSERT INTO expected VALUES (?, ?) ON CONFLICT DO NOTHING'),
    expected: db.prepare('SELECT message, node FROM expected'),
    over: db.prepare('DELETE FROM expected WHERE message = ?'),
    mark: db.prepare("SELECT event FROM mark WHERE name = 'fleet'"),
    setMark: db.prepare(
      "INSERT INTO mark VALUES ('fleet', ?) ON CONFLICT (name) DO UPDATE SET event = excluded.event",
    ),
  };
  const owe = ({ id, node, body, expiresAt }: Mail) => void sql.owe.run(id, node, body, expiresAt);
  return {
    async send(letter, mail) {
      transact(db, () => {
        sql.add.run(letter.id, letter.createdAt, JSON.stringify(letter));
        owe(mail);
      });
    },
    async keep(letter) {
      transact(db, () => void sql.add.run(letter.id, letter.createdAt, JSON.stringify(letter)));
    },
    async owe(mail) {
      transact(db, () => mail.forEach(owe));
    },
    owed: async (after, limit) => sql.owed.all(after, limit).map(toMail),
    async offer(ids) {
      transactLazily(db, () => {
        for (const id of ids) sql.offer.run(id);
      });
    },
    async left(ids, at) {
      transactLazily(db, () => {
        for (const id of ids) {
          sql.drop.run(id);
          sql.leave.run(at, id);
        }
      });
    },
    async keepBack(letter) {
      let kept = false;
      transact(db, () => {
        kept = Number(sql.keepBack.run(letter.id).changes) > 0;
        if (kept) sql.put.run(JSON.stringify(letter), letter.id);
      });
      return kept;
    },
    letter: async (id) => toLetter(sql.letter.get(id)),
    lettersStarting: async (prefix, limit) =>
      sql.starting.all(prefix, `${prefix}\uffff`, limit).flatMap((row) => toLetter(row) ?? []),
    openLetters: async (node) => sql.open.all(node).flatMap((row) => toLetter(row) ?? []),
    async put(letters) {
      transact(db, () => {
        for (const letter of letters) sql.put.run(JSON.stringify(letter), letter.id);
      });
    },
    async expect(messages) {
      transactLazily(db, () => {
        for (const [message, node] of messages) sql.expect.run(message, node);
      });
    },
    async unexpect(messages) {
      transactLazily(db, () => {
        for (const message of messages) sql.over.run(message);
      });
    },
    expected: async () =>
      new Map(
        (sql.expected.all() as { message: string; node: string }[]).map((row) => [row.message, row.node]),
      ),
    mark: async () => (sql.mark.get() as { event: number } | undefined)?.event ?? null,
    async tell(mark, mail, over) {
      transactLazily(db, () => {
        sql.setMark.run(mark);
        mail.forEach(owe);
        for (const message of over) sql.over.run(message);
      });
    },
  };
}

/** A few that are older than that, unless they still wait here; how many those were. */
export function forgetLetters(db: Database, before: number): number {
  let gone = 0;
  transact(db, () => {
    const { changes } = db
      .prepare(
        `DELETE FROM letter WHERE id IN (
          SELECT id FROM letter WHERE created_at < ? AND id NOT IN (SELECT id FROM mail) LIMIT 50)`,
      )
      .run(before);
    gone = Number(changes);
  });
  return gone;
}

function toLetter(row: unknown): Letter | null {
  return row ? (JSON.parse((row as { body: string }).body) as Letter) : null;
}

function toMail(row: unknown): OwedMail {
  const { number, id, node, body, expires_at } = row as OwedMail & { expires_at: number | null };
  return { number, id, node, body, expiresAt: expires_at };
}
