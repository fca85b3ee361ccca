// Notices: who is owed one has it, once, and it says what is true.
import type { EventNamed } from '../../src/domain/core/event.ts';
import type { Message } from '../../src/domain/core/message.ts';
import { type Case, grouped, isToldTaken } from './case.ts';
import type { Told } from './history.ts';

type Posted = Omit<Told, 'body'> & { readonly body: EventNamed<'notice-posted'> };

export function* judgeNotices(c: Case): Iterable<string> {
  const posted = c.events.filter((each): each is Posted => each.body.type === 'notice-posted');
  yield* once(posted);
  yield* kept(c, posted);
  yield* ofEnds(c, posted);
  yield* ofFailures(c, posted);
  yield* trueWords(c, posted);
  yield* ofWaits(c, posted);
}

/** Of one message, one thing is told once to one who listens. */
const onceOnly = ['turn-end', 'failed', 'accepted', 'slow'];

function* once(posted: readonly Posted[]): Iterable<string> {
  const same = grouped(
    posted.filter(({ body }) => body.message && onceOnly.includes(body.about)),
    ({ body }) => `${body.about} of ${body.message} to ${body.to}`,
  );
  for (const [what, all] of same) if (all.length > 1) yield `notice ${what} was posted ${all.length} times`;
}

/** What was posted is a message of the one who is told, unless he was gone. */
function* kept(c: Case, posted: readonly Posted[]): Iterable<string> {
  const wasKilled = new Set(
    c.events.flatMap(({ session, body }) =>
      body.type === 'session' && body.step === 'killed' ? [session] : [],
    ),
  );
  for (const { body } of posted)
    if (!c.byId(body.notice) && !wasKilled.has(body.to) && !c.isKilled(body.to))
      yield `notice ${body.notice} (${body.about}) to ${body.to} was posted, and is not in the store`;
}

const senderOf = ({ from, to }: Message): string | null =>
  from.kind === 'session' && from.id !== to ? from.id : null;

/** Whoever wants to hear of the end of his message does, once for all of his that ended together and in the same way. */
function* ofEnds(c: Case, posted: readonly Posted[]): Iterable<string> {
  const ends = new Set(posted.flatMap(({ body }) => (body.about === 'turn-end' ? [`${body.message}`] : [])));
  const wanted = c.messages.filter(
    (each) => each.notify.turnEnd && isToldTaken(each) && senderOf(each) !== null && 'at' in each.state,
  );
  const together = grouped(wanted, (each) => {
    const { is, at } = each.state as { is: string; at: number };
    return `${each.to} ${at} ${is} ${senderOf(each)}`;
  });
  for (const group of together.values()) {
    const [{ id, to, state }] = group as [Message];
    const sender = senderOf(group[0] as Message) as string;
    const told = group.filter((each) => ends.has(each.id)).length;
    // Whoever ended it himself knows.
    const why = 'why' in state ? String(state.why) : '';
    const byHimself = why.includes(sender) || c.wasKilledBy(to, sender);
    if (told === 0 && !byHimself) yield `${sender} was never told that ${id} to ${to} is ${state.is}`;
    if (told > 1) yield `${sender} was told ${told} times of the turn of ${id}`;
  }
}

/** A message that will never be taken is told to a sender who can be told. */
function* ofFailures(c: Case, posted: readonly Posted[]): Iterable<string> {
  const failed = new Set(posted.flatMap(({ body }) => (body.about === 'failed' ? [`${body.message}`] : [])));
  for (const message of c.messages) {
    const isOver = message.state.is === 'expired' || (message.state.is === 'failed' && !isToldTaken(message));
    if (isOver && senderOf(message) !== null && !failed.has(message.id))
      yield `${senderOf(message)} was never told that ${message.id} is ${message.state.is}`;
    if (failed.has(message.id) && !isOver)
      yield `${senderOf(message)} was told that ${message.id} did not arrive, and it is ${message.state.is}`;
  }
}

/** The words that a notice repeats were said in a turn that had the message. */
function* trueWords(c: Case, posted: readonly Posted[]): Iterable<string> {
  for (const { session, body } of posted) {
    const message = body.message && c.byId(body.message);
    const [, words] = /^\[sm\] [^\n]* stopped:\n([^\n]*)/.exec(c.byId(body.notice)?.text ?? '') ?? [];
    if (body.about !== 'turn-end' || !message || words === undefined) continue;
    const told = 'turn' in message.state ? message.state.turn : null;
    const turns = [...c.takenIn(message), ...c.turnsOf(session).filter(({ id }) => id === told)];
    const said = turns.flatMap((turn) => turn.said);
    if (turns.length > 0 && !said.some((each) => each.startsWith(words.replace(/\.\.\.$/, ''))))
      yield `notice ${body.notice} repeats "${words}", which no turn of ${message.id} has said`;
  }
}

/** Whoever waits is told once: `sm wait`, and the wait for a lock, which who asks again begins anew. */
function* ofWaits(c: Case, posted: readonly Posted[]): Iterable<string> {
  const count = (about: string, of: string, to: string) =>
    posted.filter(({ session, body }) => body.about === about && session === of && body.to === to).length;
  const watched = grouped(
    c.events.filter(({ body }) => body.type === 'watched'),
    ({ session, body }) => `${session} ${(body as EventNamed<'watched'>).by}`,
  );
  for (const [key, all] of watched) {
    const [of = '', by = ''] = key.split(' ');
    const told = count('watch', of, by);
    if (told !== all.length) yield `${by} waited ${all.length} times for ${of}, and was told ${told} times`;
  }
}
