// What a decision must know of the kind of agent that it is about. Each provider declares it of its own; nothing of it
// is kept in a session, so that older sessions follow what is known today.

export interface Manners {
  readonly midTurn: MidTurn;
  /** A draft can be put aside and comes back by itself. */
  readonly stash: boolean;
  /** A context can be cleared and followed by another, with the clear proven: it can be handed over. */
  readonly handoff: boolean;
  /** The key that interrupts it may be pressed only once: the second could end it. */
  readonly interruptedOnce: boolean;
  /** It says itself what it costs. */
  readonly tellsCost: boolean;
  /** The commands of its own by which its context is cleared, and compacted. */
  readonly commandTo: { readonly clear: string; readonly compact: string };
}

/** When text that is typed during a turn does not cut what the agent says. `never`: it would end the turn, or get lost. */
export type MidTurn = 'anytime' | 'in-tools' | 'never';
