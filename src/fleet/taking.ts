// Stores mail that has come from other nodes. Each piece is known by its id, so that what comes twice counts once; what came
// together is put into the lanes in its order, and stored by one commit.
import type { Refusal } from '../domain/core/input.ts';
import type { Message } from '../domain/core/message.ts';
import { ownText } from '../domain/delivery/own-texts.ts';
import type { Engine } from '../engine/engine.ts';
import type { Letter, Mail, Parked, Told } from '../ports/fleet.ts';
import type { Store } from '../ports/store.ts';
import type { LetterMail, MailBody } from '../protocol/node.ts';
import type { Power } from '../server/allowed.ts';
import type { Incoming } from './incoming.ts';
import type { createStates } from './states.ts';

export interface TakingDeps {
  readonly store: Store;
  readonly engine: Engine;
  readonly states: Pick<ReturnType<typeof createStates>, 'expect' | 'unexpect'>;
  /** Resolves when the letter has its place in the lane of its session; `stored` when it is stored, or why it is refused. */
  readonly receive: Receive;
  readonly allows: (node: string, power: Power) => boolean;
  readonly onLetter: (letter: Letter) => void;
  /** There is new mail. */
  readonly wake: () => void;
}

export type Receive = (
  from: string,
  letter: LetterMail,
) => Promise<{ readonly stored: Promise<Refusal | null> }>;

interface Refused {
  readonly from: string;
  readonly id: string;
  readonly why: string;
}

export function createTaking({ store, engine, states, receive, allows, onLetter, wake }: TakingDeps) {
  async function take(incoming: readonly Incoming[]): Promise<void> {
    const news = await newLetters(incoming);
    await states.expect(new Map([...news].map(([id, from]) => [id, from])));
    const letters = new Map<string, Letter>();
    const storing: Promise<Refused | null>[] = [];
    for (const { from, mail } of incoming) {
      switch (mail.kind) {
        case 'letter':
          storing.push((await begun(from, mail, news)).stored);
          break;
        case 'post':
          // Whoever it is for may be gone: then nobody is told.
          if (allows(from, 'send')) storing.push(posted(mail));
          if (mail.id.startsWith('w')) await change(letters, from, mail.id.slice(1), ended);
          break;
        case 'told':
          await change(letters, from, mail.message, (letter) => withTold(letter, mail.event, mail.parked));
          break;
        case 'refused':
          await change(letters, from, mail.message, (letter) => ({
            ...letter,
            state: 'failed',
            why: mail.why,
          }));
          break;
      }
    }
    if (letters.size > 0) await store.fleet.put([...letters.values()]);
    for (const letter of letters.values()) onLetter(letter);
    const ends = await Promise.allSettled(storing);
    for (const end of ends) if (end.status === 'rejected') throw end.reason;
    await refuse(ends.flatMap((end) => (end.status === 'fulfilled' && end.value ? [end.value] : [])));
  }

  /** Those that are not known yet, and from where they come. */
  async function newLetters(incoming: readonly Incoming[]): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (const { from, mail } of incoming)
      if (mail.kind === 'letter' && !(await store.message(mail.id))) found.set(mail.id, from);
    return found;
  }

  async function begun(
    from: string,
    mail: LetterMail,
    news: Map<string, string>,
  ): Promise<{ stored: Promise<Refused | null> }> {
    const refused = (why: string): Refused => ({ from, id: mail.id, why });
    if (!news.delete(mail.id)) {
      const known = await store.message(mail.id);
      // Nodes choose their ids by themselves: two may have chosen the same one.
      const isOther = known !== null && !isSame(known, mail);
      return { stored: Promise.resolve(isOther ? refused('its id is taken; send it again') : null) };
    }
    const { stored } = await receive(from, mail);
    return { stored: stored.then((refusal) => refusal && refused(refusal.message)) };
  }

  async function posted(mail: Extract<MailBody, { kind: 'post' }>): Promise<null> {
    await engine.submit(mail.to, { type: 'send', ...ownText(mail.id, mail.mode, mail.text) });
    return null;
  }

  async function refuse(refused: readonly Refused[]): Promise<void> {
    if (refused.length === 0) return;
    const mail = refused.map(({ from, id, why }): Mail => {
      const body: MailBody = { kind: 'refused', message: id, why };
      return { id: `r${id}`, node: from, body: JSON.stringify(body), expiresAt: null };
    });
    await store.fleet.owe(mail);
    await states.unexpect(refused.map(({ id }) => id));
    wake();
  }

  /** Only its own node can tell what became of a letter. */
  async function change(
    letters: Map<string, Letter>,
    from: string,
    id: string,
    next: (letter: Letter) => Letter | null,
  ): Promise<void> {
    const letter = letters.get(id) ?? (await store.fleet.letter(id));
    const after = letter?.node === from ? next(letter) : null;
    if (after) letters.set(id, after);
  }

  return take;
}

/** A wait, by the notice that ends it. */
const ended = (letter: Letter): Letter => ({ ...letter, state: 'answered' });

const isSame = (known: Message, { text, mode }: LetterMail): boolean =>
  known.text === text && known.mode === mode;

type ToldEvent = Extract<MailBody, { kind: 'told' }>['event'];

/** With one more event; null: it is known. They may come again, but not out of order. */
function withTold(letter: Letter, event: ToldEvent, parked: Parked | null): Letter | null {
  if (letter.told.some(({ number }) => number === event.number)) return null;
  const { why, turn, evidence } = event as Partial<Letter>;
  return {
    ...letter,
    state: event.state,
    why: typeof why === 'string' ? why : null,
    turn: typeof turn === 'string' ? turn : letter.turn,
    evidence: evidence ?? letter.evidence,
    parked,
    told: [...letter.told, event as Told],
  };
}
