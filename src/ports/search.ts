// Finds words in the history. What it finds them with is made from the store, and can be made again at any time.
import type { Sender, SessionId } from '../domain/core/names.ts';

export interface Search {
  find(query: SearchQuery): Promise<Found>;
  /** Something has happened: takes it in, in the background. */
  grow(): void;
  /** Something was forgotten: lets it go here too, in the background. */
  prune(): void;
  close(): Promise<void>;
}

export interface SearchQuery {
  readonly terms: readonly Term[];
  readonly session: SessionId | null;
  /** A session, or `person`. */
  readonly from: SessionId | 'person' | null;
  readonly since: number | null;
  /** For a session that searches: what its family, which has this eldest, was told and said, and what it wrote itself. */
  readonly within: { readonly eldest: SessionId; readonly self: SessionId } | null;
  readonly limit: number;
  /** With the whole texts. */
  readonly full: boolean;
}

/** Words that stand side by side; of the last one perhaps only the beginning. */
export interface Term {
  readonly words: readonly string[];
  readonly prefix: boolean;
}

export interface Found {
  /** The newest first. */
  readonly hits: readonly Hit[];
  /** What happened before this time is not known here yet; null: all is. */
  readonly from: number | null;
}

export interface Hit {
  readonly number: number;
  readonly sessionId: SessionId;
  readonly at: number;
  readonly place: Place;
  /** One line around the words. */
  readonly snippet: string;
  /** The part of it that fits; empty where it cannot be told. */
  readonly matched: string;
  /** If it was asked for. */
  readonly text: string | null;
}

export type Place =
  | { readonly kind: 'message'; readonly message: string; readonly from: Sender }
  /** What the agent said, at the end of a turn or in it. */
  | { readonly kind: 'words'; readonly turn: string | null }
  | { readonly kind: 'document' | 'transcript'; readonly path: string; readonly line: number };
