// Which topic of a chat belongs to which session.
export interface Topics {
  /** Null: it has none. */
  of(chat: string, sessionId: string): Promise<number | null>;
  sessionOf(chat: string, topic: number): Promise<string | null>;
  put(chat: string, sessionId: string, topic: number): Promise<void>;
}
