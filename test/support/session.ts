// For tests: one session in virtual time. Every input is checked against the invariants on its way through.

import { apply, type Decision, emptyState } from '../../src/domain/core/change.ts';
import type { EffectResult, OwedEffect } from '../../src/domain/core/effect.ts';
import { type EventBody, type EventName, type EventNamed, eventName } from '../../src/domain/core/event.ts';
import type { Activity, Fact, FactInput, Folded, Look, ScreenLook } from '../../src/domain/core/fact.ts';
import type { Create, Input, Others, Refusal, Send } from '../../src/domain/core/input.ts';
import type { Manners } from '../../src/domain/core/manners.ts';
import { type Message, quietly } from '../../src/domain/core/message.ts';
import { type Mode, person } from '../../src/domain/core/names.ts';
import { noOptions } from '../../src/domain/core/options.ts';
import { phaseOf, type State } from '../../src/domain/core/session.ts';
import type { Settings } from '../../src/domain/core/settings.ts';
import { decide } from '../../src/domain/decide.ts';
import { dueAt } from '../../src/domain/due.ts';
import { owedViolations, violations } from '../../src/domain/invariants.ts';

export const conversation = 'c1';

export const creation: Create = {
  type: 'create',
  id: 's1',
  provider: 'scripted',
  providerId: conversation,
  parentId: 'boss',
  name: 'scripted-s1',
  friendlyName: null,
  workingDir: '/work',
  gitRemoteUrl: null,
  worktree: null,
  model: null,
  options: noOptions,
  member: null,
  tags: [],
  forkedFrom: null,
  adopts: null,
  env: { PATH: '/bin' },
  prompt: null,
};

/** A message from the person, with what the test does not care about filled in. */
export const sent = (part: Pick<Send, 'id'> & Partial<Send>): Send => ({
  type: 'send',
  text: `text of ${part.id}`,
  file: null,
  headed: true,
  from: { kind: 'person' },
  mode: 'sequential',
  notify: quietly,
  remind: null,
  expiresAt: null,
  ...part,
});

const manners: Manners = {
  midTurn: 'anytime',
  interruptedOnce: false,
  stash: false,
  handoff: true,
  tellsCost: true,
  commandTo: { clear: '/clear', compact: '/compact' },
};

export const settings: Settings = {
  context: { enabled: true, warning: 50, critical: 65, autoHandoff: false },
  manners: () => manners,
  handoffs: '/handoffs',
  blockedBound: 10 * 60_000,
  parentsMayAnswer: false,
  rules: () => [],
  prices: () => null,
  resumeAfterLimit: true,
};

/** Nobody else is there. */
export const alone: Others = {
  isNameTaken: () => false,
  isFamily: () => false,
  relative: () => null,
  childrenOf: () => [],
  memberOf: () => null,
  ownerOf: () => null,
  lockOn: () => null,
  settings,
};

/** The same, with agents of other manners. */
export const aloneWith = (other: Partial<Manners>): Others => ({
  ...alone,
  settings: { ...settings, manners: () => ({ ...manners, ...other }) },
});

const cursor = { x: 2, y: 20 };

/** What a look may show. */
export const screens = {
  composer: (draft = '', activity: Activity = 'idle', text = 'the screen'): ScreenLook => ({
    reading: { shows: 'composer', draft, activity, stash: false, cursor },
    copyMode: false,
    humanActiveAt: null,
    text,
  }),
  /** A paste that is shown only by its size. */
  folded: (counts: Folded['counts'], least: number, most = least): ScreenLook => ({
    ...screens.composer(),
    reading: {
      shows: 'composer',
      draft: '[a paste]',
      folded: { counts, least, most },
      activity: 'idle',
      stash: false,
      cursor,
    },
  }),
  dialog: (text: string): ScreenLook => ({ ...screens.composer(), reading: { shows: 'dialog', text } }),
  unknown: (): ScreenLook => ({ ...screens.composer(), reading: { shows: 'unknown', text: '?' } }),
  scrolled: (): ScreenLook => ({ ...screens.composer(), copyMode: true }),
};

export const launched: EffectResult = {
  of: 'launch',
  outcome: 'launched',
  pid: 77,
  startedAt: 'then',
  agentVersion: '1',
};

type PartOf<T> = T extends { is: infer I } ? { is: I } & Partial<Omit<T, 'is'>> : never;

/** A fact of the session's conversation, with what the test does not care about filled in. */
export function factOf(part: PartOf<Fact>): Fact {
  const ofProcess = part.is === 'process-exited' || part.is === 'process-gone';
  const defaults = {
    ...(ofProcess ? {} : { providerId: conversation }),
    turnId: null,
    text: '',
    subject: null,
    transcriptPath: null,
    lastWords: null,
    stillRuns: 0,
    end: 'ended',
    source: 'startup',
    model: null,
    reason: 'clear',
    trigger: 'auto',
    code: 0,
    signal: null,
    screen: '',
    why: 'its pane is gone',
  };
  return { ...defaults, ...part } as Fact;
}

export interface TestSession {
  readonly state: State;
  readonly phase: string;
  readonly now: number;
  /** Every event so far. */
  readonly events: readonly EventBody[];
  /** Effects that are owed, oldest first. */
  readonly owed: readonly OwedEffect[];
  take(input: Input): Decision;
  refusal(input: Input, others?: Others): Refusal;
  /** Tells a fact that happens now, by a hook unless said otherwise. */
  hear(part: PartOf<Fact>, how?: Partial<Pick<FactInput, 'at' | 'source' | 'id'>>): Decision;
  send(id: string, text?: string, mode?: Mode): void;
  /** Gives the oldest effect of that kind its result. */
  answer(result: EffectResult): void;
  /** Gives a look to the oldest look that is owed. */
  see(look: Look | null): void;
  submitted(outcome: 'typed' | 'changed' | 'gone' | 'unknown'): void;
  /** Lets time pass, and asks for what is due whenever it is. */
  wait(ms: number): void;
  message(id: string): Message;
  eventsOf<Name extends EventName>(name: Name): EventNamed<Name>[];
}

export function testSession(create: Partial<Create> = {}, others: Others = alone): TestSession {
  let now = 1_000_000;
  let state: State | null = null;
  let owed: OwedEffect[] = [];
  let facts = 0;
  const events: EventBody[] = [];
  const messages = new Map<string, Message>();

  function take(input: Input): Decision {
    const outcome = decide(state, input, now, others);
    if (!outcome.ok) throw new Error(`refused: ${outcome.refusal.message}`);
    const { decision } = outcome;
    state ??= emptyState(decision.session);
    apply(state, decision);
    owed = [...owed, ...decision.effects].filter(({ id }) => !decision.settled.includes(id));
    events.push(...decision.events.map(({ body }) => body));
    for (const message of decision.messages) messages.set(message.id, message);
    const manners = others.settings.manners(state.session.provider);
    const broken = [...violations(state, manners), ...owedViolations(state, owed)];
    if (broken.length) throw new Error(`after ${JSON.stringify(input)}: ${broken.join('; ')}`);
    return decision;
  }

  const test: TestSession = {
    get state() {
      return state as State;
    },
    get phase() {
      return phaseOf((state as State).session);
    },
    get now() {
      return now;
    },
    get owed() {
      return owed;
    },
    events,
    take,
    refusal(input, known = others) {
      const outcome = decide(state, input, now, known);
      if (outcome.ok) throw new Error('it was not refused');
      return outcome.refusal;
    },
    hear: (part, how = {}) =>
      take({ type: 'fact', id: `f${++facts}`, at: now, source: 'hook', fact: factOf(part), ...how }),
    send: (id, text = `text of ${id}`, mode = 'sequential') => void take(sent({ id, text, mode })),
    answer(result) {
      const effect = owed.find((each) => each.effect.do === result.of);
      if (!effect) throw new Error(`no ${result.of} is owed`);
      take({ type: 'result', effectId: effect.id, result });
    },
    see: (look) => test.answer({ of: 'look', look }),
    submitted: (outcome) => test.answer({ of: 'submit', outcome }),
    wait(ms) {
      const until = now + ms;
      for (let at = dueAt(test.state.session); at !== null && at <= until; at = dueAt(test.state.session)) {
        now = Math.max(now, at);
        take({ type: 'due' });
      }
      now = until;
    },
    message(id) {
      const message = messages.get(id);
      if (!message) throw new Error(`there was no message ${id}`);
      return message;
    },
    eventsOf: (name) => events.filter((each) => eventName(each) === name) as never,
  };
  take({ ...creation, ...create });
  return test;
}

/** A session whose agent is ready and does nothing. */
export function idleSession(create: Partial<Create> = {}, others?: Others): TestSession {
  const s = testSession(create, others);
  s.answer(launched);
  s.hear({ is: 'agent-started' });
  return s;
}

/** A session that works on the prompt `p1`. */
export function workingSession(): TestSession {
  const s = idleSession();
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
  return s;
}

/** These messages wait for the end of the turn `p1`, which has just come: the pane is to be looked at. */
export function attemptingSession(...ids: string[]): TestSession {
  const s = workingSession();
  for (const id of ids) s.send(id);
  s.hear({ is: 'turn-ended', turnId: 'p1' });
  return s;
}

/** These messages were typed as one prompt, and evidence is awaited. */
export function typedSession(...ids: string[]): TestSession {
  const s = attemptingSession(...ids);
  s.see(screens.composer());
  s.submitted('typed');
  return s;
}

export const killIt: Input = { type: 'kill', by: person };

export const restoreIt: Input = {
  type: 'restore',
  by: person,
  oldProcess: 'gone',
  resumable: true,
  providerId: 'c2',
  env: {},
};
