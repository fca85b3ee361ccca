// The sign of a session on every face: a word first, then a glyph, then a colour.
import type { SessionView } from '../protocol/session.ts';

export type Tone = 'good' | 'wait' | 'bad' | 'plain' | 'faint';

export interface Sign {
  readonly glyph: string;
  readonly word: string;
  readonly tone: Tone;
}

type Signed = Pick<SessionView, 'phase' | 'screen_unrecognised_since'> & {
  readonly limit?: unknown;
  readonly question?: unknown;
};

const atLimit: Sign = { glyph: '◷', word: 'limit', tone: 'faint' };
const notRecognised: Sign = { glyph: '?', word: 'not recognised', tone: 'bad' };

const signs: Readonly<Record<SessionView['phase'], Sign>> = {
  blocked: { glyph: '◐', word: 'waiting', tone: 'wait' },
  starting: { glyph: '◔', word: 'starting', tone: 'good' },
  working: { glyph: '●', word: 'working', tone: 'good' },
  compacting: { glyph: '◌', word: 'compacting', tone: 'good' },
  rotating: { glyph: '↻', word: 'rotating', tone: 'good' },
  idle: { glyph: '○', word: 'idle', tone: 'plain' },
  exited: { glyph: '✕', word: 'exited', tone: 'faint' },
  lost: { glyph: '✕', word: 'lost', tone: 'bad' },
};

/** What stands in its way matters more than what it did before. */
export function signOf(session: Signed): Sign {
  if (session.limit && !session.question) return atLimit;
  return session.screen_unrecognised_since !== null && session.phase !== 'blocked'
    ? notRecognised
    : signs[session.phase];
}

/** `3● 1◐ 2○ 1✕`: how many there are of each, in the order of the need. */
export function counts(sessions: Iterable<Signed>): { readonly sign: Sign; readonly count: number }[] {
  const found = new Map<string, { sign: Sign; count: number }>();
  for (const session of sessions) {
    const sign = signOf(session);
    const entry = found.get(sign.glyph) ?? { sign, count: 0 };
    entry.count += 1;
    found.set(sign.glyph, entry);
  }
  const order = [
    signs.blocked,
    notRecognised,
    signs.working,
    signs.starting,
    signs.compacting,
    signs.rotating,
  ];
  return [...order, atLimit, signs.idle, signs.exited].flatMap(({ glyph }) => found.get(glyph) ?? []);
}

/** How full a context is, as a tone. */
export const useTone = (percentage: number): Tone =>
  percentage >= 80 ? 'bad' : percentage >= 60 ? 'wait' : 'plain';
