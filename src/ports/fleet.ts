// What is kept of the fleet, the other machines that run a daemon. A session has one owner for ever, its node; others call it
// `ID@NODE`.
import type { Notify } from '../domain/core/message.ts';
import type { MessageId, Mode, Sender, SessionId, Thresholds } from '../domain/core/names.ts';

export interface NodeState {
  readonly name: string;
  readonly isOwn: boolean;
  /** Null: it is here. When it was heard last, by the clock of the fleet's server. */
  readonly awaySince: number | null;
  readonly version: string;
  readonly protocol: number;
  readonly labels: readonly string[];
  /** Of the last minute, for each core. */
  readonly load: number;
  readonly sessions: number;
  /** To the fleet's server, in ms, as the node measures it; null: it has not. */
  readonly latency: number | null;
  /** How far its clock is ahead of ours, in ms, but for the way of its word; null: not known. */
  readonly clockOffset: number | null;
}

/** A message to a session of another node, as its sender keeps it. */
export interface Letter {
  readonly id: MessageId;
  readonly node: string;
  /** At its node. */
  readonly session: SessionId;
  readonly from: Sender;
  readonly text: string;
  readonly mode: Mode;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  /** When the stream had it; null: it waits here. */
  readonly leftAt: number | null;
  /** As its node told last. */
  readonly state: string;
  readonly why: string | null;
  readonly turn: string | null;
  readonly evidence: { readonly source: string; readonly id: string; readonly at: number } | null;
  /** As its node said when it was told of first: nothing is under way for it, because of the session's phase; null: something is. */
  readonly parked: Parked | null;
  /** What its node told of it, in the order of that node. */
  readonly told: readonly Told[];
}

export interface Parked {
  /** Null: others are before it. */
  readonly phase: string | null;
}

/** What is known of it only later. */
type Known = 'createdAt' | 'leftAt' | 'state' | 'why' | 'turn' | 'evidence' | 'parked' | 'told';

export interface NewLetter extends Omit<Letter, Known> {
  readonly notify: Notify;
  readonly remind: Thresholds | null;
}

/** One event of another node; its number is that of its node. */
export interface Told {
  readonly number: number;
  readonly at: string;
  readonly [field: string]: unknown;
}

/** One thing that is owed to another node. */
export interface Mail {
  /** Known to the one who gets it: what comes twice counts once. */
  readonly id: string;
  readonly node: string;
  readonly body: string;
  /** A letter that may expire waits here while its node is away: only here it can be taken back. */
  readonly expiresAt: number | null;
}

export interface OwedMail extends Mail {
  /** Grows with each that is owed. */
  readonly number: number;
}

/**
 * What the store keeps of the fleet. What must be on the disk says so. The rest outlives the daemon, and may be undone by a power cut, with
 * all that came after it: then it happens once more.
 */
export interface FleetStore {
  /** Keeps the letter and owes the mail, both or none; on the disk. */
  send(letter: Letter, mail: Mail): Promise<void>;
  /** Keeps what stands for a wait, of which nothing is sent. */
  keep(letter: Letter): Promise<void>;
  /** One that is owed is not owed twice. */
  owe(mail: readonly Mail[]): Promise<void>;
  /** In the order in which it was owed, after that number. */
  owed(after: number, limit: number): Promise<OwedMail[]>;
  /** The stream may have these from now on. */
  offer(ids: readonly string[]): Promise<void>;
  /** The stream has these. */
  left(ids: readonly string[], at: number): Promise<void>;
  /** The letter is not sent any more; false: it was offered to the stream. On the disk. */
  keepBack(letter: Letter): Promise<boolean>;
  letter(id: MessageId): Promise<Letter | null>;
  lettersStarting(prefix: string, limit: number): Promise<Letter[]>;
  /** Those to that node of which nobody knows the end. */
  openLetters(node: string): Promise<Letter[]>;
  /** On the disk: nobody will say it again. */
  put(letters: readonly Letter[]): Promise<void>;
  /** These messages have come from other nodes, by their ids, which want to hear of them. */
  expect(messages: ReadonlyMap<MessageId, string>): Promise<void>;
  /** Nothing will be told of these. */
  unexpect(messages: readonly MessageId[]): Promise<void>;
  expected(): Promise<ReadonlyMap<MessageId, string>>;
  /** Up to which event other nodes were told; null: never. */
  mark(): Promise<number | null>;
  /** Owes what is told of all events up to that one; `over`: messages of which nothing more will be told. */
  tell(mark: number, mail: readonly Mail[], over: readonly MessageId[]): Promise<void>;
}
