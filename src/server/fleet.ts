// The other machines, as the server sees them: who is there, what they run, and how to write to it.
import type { z } from '@hono/zod-openapi';
import type { MessageId } from '../domain/core/names.ts';
import type { Letter, NewLetter, NodeState } from '../ports/fleet.ts';
import type { callMail } from '../protocol/node.ts';
import type { SessionView } from '../protocol/session.ts';

export type FleetRequest = z.infer<typeof callMail>;

export interface FleetAnswer {
  readonly status: number;
  /** Its content type. */
  readonly type: string;
  readonly body: ReadableStream<Uint8Array>;
}

export interface Fleet {
  /** What this machine is called. */
  readonly node: string;
  /** Why nobody else can be reached just now; null: they can. */
  away(): string | null;
  /** Whether it is known who belongs to it: not before the first connection of this daemon's life. */
  isKnown(): boolean;
  nodes(): NodeState[];
  /** Those of all other nodes, as they were told last, under the names that they have here. */
  sessions(): SessionView[];
  /** Owes it: stored first, sent when it can be. Resolves when it is stored. */
  send(letter: NewLetter): Promise<Letter>;
  /** A session here waits for one of that node, by the watch of that name. */
  watched(letter: NewLetter): Promise<void>;
  letter(id: MessageId): Promise<Letter | null>;
  /** Those whose id begins so. */
  lettersStarting(prefix: string, limit: number): Promise<Letter[]>;
  /** Why nothing of it can be heard from its node just now; null: it can. */
  awayWhy(node: string): string | null;
  /** Asks another node. Rejects where it cannot be asked. */
  call(node: string, request: FleetRequest): Promise<FleetAnswer>;
  /** Resolves when that node speaks next; false: it has not for so many ms. */
  heard(node: string, limit: number): Promise<boolean>;
  /** Takes back a letter that has not left; false: it has. */
  withdraw(letter: Letter, why: string): Promise<boolean>;
  /** Why a node of that version of the protocol cannot be asked; null: it can. */
  misfit(protocol: number): string | null;
  /** Removes what a node has told; null: done, else why not. One that may still speak tells it again. */
  forget(node: string): Promise<string | null>;
  onLetter(listener: (letter: Letter) => void): () => void;
}
