// Which topic of a chat belongs to which session.
import type { Topics } from '../../ports/topics.ts';
import { type Database, transact } from './database.ts';

export function storedTopics(db: Database): Topics {
  const of = db.prepare('SELECT topic FROM topic WHERE chat = ? AND session = ?');
  const sessionOf = db.prepare('SELECT session FROM topic WHERE chat = ? AND topic = ?');
  const put = db.prepare('INSERT OR REPLACE INTO topic (chat, session, topic) VALUES (?, ?, ?)');
  return {
    of: async (chat, session) => (of.get(chat, session) as { topic: number } | undefined)?.topic ?? null,
    sessionOf: async (chat, topic) =>
      (sessionOf.get(chat, topic) as { session: string } | undefined)?.session ?? null,
    async put(chat, session, topic) {
      transact(db, () => void put.run(chat, session, topic));
    },
  };
}
