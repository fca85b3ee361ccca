// What a digest counts of one session, event by event.
import { assertNever } from '../domain/core/assert-never.ts';
import type { TurnEnd } from '../domain/core/ending.ts';
import type { Highlight } from '../domain/core/highlights.ts';
import type { Actor } from '../domain/core/names.ts';
import type { SessionDigest } from '../protocol/digest.ts';

type Turns = SessionDigest['turns'];

/** Of failures, and of branches that were brought in. */
const mostKept = 5;
const longestWords = 500;

export interface Tally {
  startedAt: number | null;
  restored: number;
  ended: { readonly at: number; readonly reason: string; readonly by: Actor | null } | null;
  readonly turns: Turns;
  lastWords: { readonly at: number; readonly failed: boolean; readonly text: string } | null;
  asked: number;
  readonly answers: {
    person: number;
    rules: number;
    elsewhere: number;
    readonly sessions: Map<string, number>;
  };
  readonly reminders: { soft: number; hard: number };
  compactions: number;
  handoffs: number;
  /** How often it stood still at a limit, was silent, and used up its budget. */
  limits: number;
  silences: number;
  budgets: number;
  readonly merged: { readonly at: number; readonly branch: string; readonly into: string }[];
  failed: number;
  readonly failures: Failure[];
  /** Who has answered the question that stands there. */
  answeredBy: Actor | null;
  killedBy: Actor | null;
}

interface Failure {
  readonly at: number;
  readonly what: SessionDigest['failures'][number]['what'];
  readonly why: string;
}

export const emptyTally = (): Tally => ({
  startedAt: null,
  restored: 0,
  ended: null,
  turns: { finished: 0, failed: 0, interrupted: 0, cut_off: 0, died: 0, cleared: 0, unknown: 0 },
  lastWords: null,
  asked: 0,
  answers: { person: 0, rules: 0, elsewhere: 0, sessions: new Map() },
  reminders: { soft: 0, hard: 0 },
  compactions: 0,
  handoffs: 0,
  limits: 0,
  silences: 0,
  budgets: 0,
  merged: [],
  failed: 0,
  failures: [],
  answeredBy: null,
  killedBy: null,
});

const turnCalled: Readonly<Record<TurnEnd, keyof Turns>> = {
  ended: 'finished',
  'cut-off': 'cut_off',
  interrupted: 'interrupted',
  failed: 'failed',
  died: 'died',
  cleared: 'cleared',
  unknown: 'unknown',
};

export function count(tally: Tally, at: number, event: Highlight): void {
  switch (event.type) {
    case 'session':
      countLife(tally, at, event);
      break;
    case 'turn':
      countTurn(tally, at, event);
      break;
    case 'question':
      countQuestion(tally, event);
      break;
    case 'message':
      // One whose turn failed has failed with it.
      if (!event.turn) fail(tally, { at, what: 'message', why: event.why });
      break;
    case 'reminder':
      if (event.step === 'unheeded') tally.silences += 1;
      else tally.reminders[event.kind] += 1;
      break;
    case 'limit':
      tally.limits += 1;
      break;
    case 'budget':
      tally.budgets += 1;
      break;
    case 'compaction':
      tally.compactions += 1;
      break;
    case 'handoff':
      if (event.step === 'done') tally.handoffs += 1;
      else fail(tally, { at, what: 'handoff', why: event.why });
      break;
    case 'screen':
      fail(tally, { at, what: 'screen', why: 'its screen is not recognised' });
      break;
    case 'worktree': {
      const { branch, into } = event;
      keep(tally.merged, { at, branch, into });
      break;
    }
    default:
      assertNever(event);
  }
}

function countLife(tally: Tally, at: number, event: Extract<Highlight, { type: 'session' }>): void {
  switch (event.step) {
    case 'created':
      tally.startedAt = at;
      break;
    case 'restored':
      tally.restored += 1;
      tally.ended = null;
      break;
    case 'killed':
      tally.killedBy = event.by;
      break;
    case 'lost':
      tally.ended = { at, reason: event.reason, by: null };
      fail(tally, { at, what: 'agent', why: event.reason });
      break;
    case 'exited': {
      const { reason, code } = event;
      tally.ended = { at, reason, by: tally.killedBy };
      if (!tally.killedBy && code !== 0) fail(tally, { at, what: 'agent', why: reason });
      tally.killedBy = null;
      break;
    }
    default:
      assertNever(event);
  }
}

function countTurn(tally: Tally, at: number, event: Extract<Highlight, { type: 'turn' }>): void {
  tally.turns[turnCalled[event.end]] += 1;
  const failed = event.end === 'failed';
  const text = event.lastWords?.slice(0, longestWords) ?? '';
  if (failed) fail(tally, { at, what: 'turn', why: text || 'unknown error' });
  if (text !== '') tally.lastWords = { at, failed, text };
}

/** Only when it is closed is it known whose answer it was: one that was given may be lost. */
function countQuestion(tally: Tally, event: Extract<Highlight, { type: 'question' }>): void {
  const { answers, answeredBy: by } = tally;
  switch (event.step) {
    case 'asked':
      tally.asked += 1;
      tally.answeredBy = null;
      break;
    case 'answered':
      tally.answeredBy = event.by;
      break;
    case 'ruled':
      answers.rules += 1;
      break;
    case 'closed':
      if (by?.kind === 'person') answers.person += 1;
      else if (by?.kind === 'session') answers.sessions.set(by.id, (answers.sessions.get(by.id) ?? 0) + 1);
      else answers.elsewhere += 1;
      tally.answeredBy = null;
      break;
    default:
      assertNever(event);
  }
}

function fail(tally: Tally, failure: Failure): void {
  tally.failed += 1;
  keep(tally.failures, failure);
}

/** The newest first. */
function keep<T>(list: T[], item: T): void {
  list.unshift(item);
  if (list.length > mostKept) list.pop();
}
