// A digest for people in a hurry: for each session one line on how it stands, one on what it did, and its last words.
import { signOf } from '../../faces/signs.ts';
import type { DigestView, SessionDigest } from '../../protocol/digest.ts';
import type { Io } from '../io.ts';
import { type Colours, coloursFor } from './colours.ts';
import { oneLine } from './safe.ts';
import { reason } from './session.ts';
import { duration, shortClock } from './time.ts';
import { cut } from './width.ts';

interface Telling {
  readonly now: number;
  readonly room: number;
  readonly colours: Colours;
}

export function digestLines(io: Io, digest: DigestView): string[] {
  const telling = {
    now: io.now(),
    room: io.columns ?? Number.POSITIVE_INFINITY,
    colours: coloursFor(io),
  };
  const { families, quiet } = digest;
  const more = families.length > 0 ? 'more ' : '';
  return [
    ...wrapped(headline(digest, telling), '', telling),
    ...families.flatMap((family) => ['', ...familyLines(family, telling)]),
    ...(quiet > 0 ? ['', telling.colours.dim(`${plural(quiet, `${more}session`)}: nothing new.`)] : []),
  ];
}

function headline({ since, totals, families }: DigestView, { now }: Telling): string {
  const time = `Since ${shortClock(since, now)} (${duration(now - Date.parse(since))})`;
  if (families.length === 0) return `${time}: nothing happened.`;
  const parts = [
    totals.waiting > 0 && `${totals.waiting} ${totals.waiting === 1 ? 'waits' : 'wait'} for you`,
    totals.failed > 0 && plural(totals.failed, 'failure'),
    totals.started > 0 && `${plural(totals.started, 'session')} started`,
    totals.ended > 0 && `${totals.ended} ended`,
    `${plural(totals.turns_finished, 'turn')} finished`,
    totals.asked > 0 && plural(totals.asked, 'question'),
  ];
  return `${time}: ${listed(parts)}.`;
}

function familyLines({ id, name, sessions }: DigestView['families'][number], telling: Telling): string[] {
  const title = `${oneLine(name)} (${id}) and its family`;
  return [
    ...(sessions.length > 1 ? [telling.colours.bold(cut(title, telling.room))] : []),
    ...sessions.flatMap((session) => sessionLines(session, telling)),
  ];
}

function sessionLines(session: SessionDigest, telling: Telling): string[] {
  const { colours, room, now } = telling;
  const { waits, last_words: words } = session;
  const { glyph } = signOf({
    phase: session.phase,
    screen_unrecognised_since: waits?.what === 'screen' ? waits.since : null,
    limit: waits?.what === 'limit' ? waits : null,
  });
  const paint = waits ? (waits.what === 'answer' ? colours.yellow : colours.red) : colours.bold;
  const did = listed(deeds(session));
  const failure = session.failures[0];
  // What it waits for, and its last words, say the same of a turn that has just failed.
  const isTold = failure === undefined || waits?.text === failure.why || words?.text === failure.why;
  const said = words && waits?.text !== words.text ? `"${oneLine(words.text)}"` : '';
  return [
    paint(cut(`${glyph} ${oneLine(session.name)} (${session.session_id}) ${standing(session, now)}`, room)),
    ...(did === '' ? [] : wrapped(did, '    ', telling)),
    ...(isTold ? [] : [cut(`    ${shortClock(failure.at, now)} failed: ${oneLine(failure.why)}`, room)]),
    ...session.merged.map(({ at, branch, into }) =>
      cut(`    ${shortClock(at, now)} brought ${oneLine(branch)} into ${oneLine(into)}`, room),
    ),
    ...(said === '' ? [] : [cut(`    ${shortClock(words?.at ?? '', now)} ${said}`, room)]),
  ];
}

/** How it stands now. */
function standing({ session_id: id, phase, phase_since: since, waits, ended }: SessionDigest, now: number) {
  if (!waits) {
    const by = ended?.by ? ' (killed)' : '';
    return `${phase}${by}, ${duration(now - Date.parse(since))}`;
  }
  const who = waits.for ? `${oneLine(waits.for.name)} (${waits.for.id})` : 'you';
  const time = duration(now - Date.parse(waits.since));
  const text = oneLine(waits.text);
  switch (waits.what) {
    case 'answer':
      return `asks ${who}, ${time}: ${text}`;
    case 'draft':
      return `holds messages, ${time}: ${reason(waits.text)}`;
    case 'screen':
      return `waits for ${who}, ${time}: ${text}`;
    case 'restore':
      return `is gone, ${time} (sm restore ${id}): ${text}`;
    case 'status':
      return `is silent, ${time}: ${who} should ask`;
    case 'limit':
      return `stands still at its limit, ${time}: ${text}`;
    case 'budget':
      return `is held, ${time}: ${text}`;
    case 'failed':
      return `failed, ${time}, waits for ${who}: ${text}`;
  }
}

function deeds(session: SessionDigest): (string | false)[] {
  const { turns, reminders, compactions, handoffs, restored, failures } = session;
  const reminded = reminders.soft + reminders.hard;
  const others: [number, string][] = [
    [turns.failed, 'failed'],
    [turns.interrupted, 'interrupted'],
    [turns.cut_off, 'cut off'],
    [turns.died, 'died'],
    [turns.cleared, 'cleared'],
    [turns.unknown, 'ended unseen'],
  ];
  const lost = failures.filter(({ what }) => what === 'message').length;
  return [
    session.started_at !== null && 'started',
    turns.finished > 0 && `${plural(turns.finished, 'turn')} finished`,
    ...others.map(([count, word]) => count > 0 && `${count} ${word}`),
    lost > 0 && `${plural(lost, 'message')} not taken`,
    questionsText(session),
    reminded > 0 && `reminded ${times(reminded)}`,
    compactions > 0 && `compacted ${times(compactions)}`,
    session.silences > 0 && `silent ${times(session.silences)}`,
    session.limits > 0 && `at its limit ${times(session.limits)}`,
    session.budgets > 0 && `budget used up ${times(session.budgets)}`,
    handoffs > 0 && `handed over ${times(handoffs)}`,
    restored > 0 && `restored ${times(restored)}`,
    session.messages_waiting > 0 && `${plural(session.messages_waiting, 'message')} waiting`,
  ];
}

/** `3 questions (2 answered by you, 1 elsewhere)` */
function questionsText({ questions }: SessionDigest): string | false {
  const { asked } = questions;
  const parents = questions.answered_by_sessions.reduce((sum, { count }) => sum + count, 0);
  const answers: [number, string][] = [
    [questions.answered_by_person, 'by you'],
    [parents, 'by its parent'],
    [questions.answered_elsewhere, 'at its terminal'],
  ];
  const told = listed(answers.map(([count, who]) => count > 0 && `${count} answered ${who}`));
  const rules = questions.answered_by_rules > 0 && `${questions.answered_by_rules} answered by rules`;
  if (asked === 0 && told === '') return rules;
  const all = listed([told, rules]);
  return `${plural(asked, 'question')}${all === '' ? '' : ` (${all})`}`;
}

const listed = (parts: readonly (string | false)[]): string => parts.filter(Boolean).join(', ');
const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

/** Broken between its parts, where one line is too narrow. */
function wrapped(text: string, indent: string, { room }: Telling): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= room)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`${indent}${word}`);
  }
  return lines;
}
