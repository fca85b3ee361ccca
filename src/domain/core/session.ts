// A session: an agent that we run. It lives through clears, handoffs and restarts of anything.

import { type Budgets, holdOf } from './budget.ts';
import type { Checkout } from './checkout.ts';
import type { Comment } from './comment.ts';
import { type Ending, isGone, type LimitReached, type TurnEnd } from './ending.ts';
import { isStandingStill, type Limits, type Standstill } from './limits.ts';
import type { Manners } from './manners.ts';
import type { Message } from './message.ts';
import type { Actor, Evidence, MessageId, Mode, Named, SessionId } from './names.ts';
import type { Options } from './options.ts';
import type {
  Alarm,
  Answer,
  Attempt,
  Clear,
  Compaction,
  Cycle,
  ExpectedClear,
  Halt,
  Handoff,
  Interrupt,
  LastHandoff,
  Lock,
  Monitor,
  OneShot,
  Question,
  Reminder,
  Ruling,
  Silence,
  SlashCommand,
  Takeover,
  Unrecognised,
  Watcher,
} from './parts.ts';
import type { Spending } from './spending.ts';
import type { Worktree } from './worktree.ts';

export interface Session {
  readonly id: SessionId;
  readonly provider: string;
  readonly parentId: SessionId | null;
  /** What the session is called until somebody names it. */
  readonly name: string;
  readonly friendlyName: string | null;
  readonly workingDir: string;
  readonly gitRemoteUrl: string | null;
  /** What was made for it to work in; null: it works where it was started. */
  readonly worktree: Worktree | null;
  /** Where that stands in git, as far as it was seen; null: nowhere. */
  readonly checkout: Checkout | null;
  /** As it was asked for. */
  readonly model: string | null;
  /** As the agent calls it; null until it does. */
  readonly agentModel: string | null;
  readonly options: Options;
  /** The conversation that its first one is a copy of; null: it began with none. */
  readonly forkedFrom: Origin | null;
  /** Its place in a team, for good. */
  readonly member: Member | null;
  readonly task: string | null;
  /** In order. */
  readonly tags: readonly string[];
  /** What the agent itself says that it is doing, and since when. */
  readonly status: { readonly text: string; readonly at: number } | null;
  readonly createdAt: number;
  /** When the agent last let us know anything. */
  readonly lastActivityAt: number;
  readonly process: Process;
  /** Its agent ran when something bigger ended, and has not run since. */
  readonly stranded: Stranded | null;
  readonly agentVersion: string | null;
  readonly context: Context;
  /** The turn that runs now. */
  readonly turn: Turn | null;
  readonly lastTurn: EndedTurn | null;
  /** The last turns that ended: a fact that comes late must not begin one of them again. */
  readonly endedTurns: readonly PastTurn[];
  /** Turn ends whose start has not been told yet: facts may come out of order. */
  readonly earlyEnds: readonly EarlyEnd[];
  /** What stands between the agent and its work until a human answers. */
  readonly question: Question | null;
  /** What became of the question before. */
  readonly lastQuestion: {
    readonly text: string;
    /** What it was about; absent in older ones. */
    readonly subject?: string | null;
    readonly answer: Answer | null;
    readonly why: string;
  } | null;
  /** Answers of rules that the agent does not have yet. */
  readonly rulings: readonly Ruling[];
  readonly compaction: Compaction | null;
  readonly attempt: Attempt | null;
  /** Somebody wants the context cleared; nothing else is typed until that is proven, or has failed. */
  readonly clear: Clear | null;
  /** Another kind of agent is to go on with its conversation, once it has been looked at. */
  readonly takeover: Takeover | null;
  /** Commands of the agent's own that are to be typed, the oldest first. */
  readonly commands: readonly SlashCommand[];
  /** When it was known of an Escape of ours that its turn had ended by itself: it may have gone to an idle agent. */
  readonly idleEscapeAt: number | null;
  /** What the agent was given during a turn and has not taken up yet. */
  readonly enqueued: readonly MessageId[];
  /** What the agent had when we cut its turn: it goes on in the turn that our message starts. */
  readonly carried: readonly MessageId[];
  /** What is to be looked at again at its time, the earliest first. */
  readonly alarms: readonly Alarm[];
  /** When the pane is to be looked at next, and what was seen the last time; null while nothing is in doubt. */
  readonly silence: Silence | null;
  /** The look that is under way to learn the phase. Whatever the agent says meanwhile outdates it. */
  readonly look: string | null;
  /** The pane shows nothing that is recognised. */
  readonly unrecognised: Unrecognised | null;
  readonly usage: Usage | null;
  readonly spending: Spending;
  readonly budgets: Budgets;
  /** The directory of its agent's account; null: it is not known. */
  readonly account: string | null;
  /** Null: its agent has told nothing. */
  readonly limits: Limits | null;
  /** Its agent has used up its limit. */
  readonly standstill: Standstill | null;
  /** How far the marks of the context monitor were reached since the context was last emptied. */
  readonly cycle: Cycle;
  readonly monitor: Monitor;
  readonly handoff: Handoff | null;
  readonly lastHandoff: LastHandoff | null;
  /** Where the agent writes its document when its context is nearly full, to be rotated without a further call. */
  readonly autoHandoff: string | null;
  /** Sessions that want to hear when this one is done. */
  readonly watchers: readonly Watcher[];
  readonly reminder: Reminder | null;
  readonly oneShots: readonly OneShot[];
  /** On what it has changed, not sent yet. */
  readonly comments: readonly Comment[];
  /** The workspace that this session keeps the others out of. */
  readonly lock: Lock | null;
  /** Clears that clients are about to type, the oldest first. */
  readonly expectedClears: readonly ExpectedClear[];
  /** Numbers the ids of effects and attempts. */
  readonly serial: number;
}

/** A conversation of another session, with what that was called when it was copied. */
export interface Origin extends Named {
  readonly context: number;
  readonly providerId: string;
}

/** One of a team: both names together are its identity, whatever the session is called. */
export interface Member {
  readonly team: string;
  readonly name: string;
}

/** What can end, and all agents with it. */
export type Bigger = 'machine' | 'tmux';

export interface Stranded {
  readonly with: Bigger;
  readonly at: number;
}

/** Where a process ran: the boot of the machine, null where it has no name, and the server of its terminal. */
export interface Under {
  readonly boot: string | null;
  readonly tmux: string;
}

/** A process that another takes the place of, and the kind of agent that it was. */
export interface Replaced {
  readonly provider: string;
  readonly pid: number;
  readonly startedAt: string | null;
  readonly under: Under | null;
}

/** What is known of the agent's process. */
export type Process =
  /** `announced`: the agent has said that it is there, before its launch was known to have worked. */
  | {
      readonly state: 'launching';
      readonly since: number;
      readonly resume: boolean;
      readonly announced: Evidence | null;
      /** What runs until this one is launched, and is ended first. */
      readonly replaces: Replaced | null;
    }
  | {
      readonly state: 'running';
      readonly since: number;
      readonly pid: number;
      readonly startedAt: string | null;
      readonly ready: boolean;
      /** Null: nobody knows. */
      readonly under: Under | null;
    }
  | {
      readonly state: 'ending';
      readonly since: number;
      readonly by: Actor;
      readonly pid: number | null;
      readonly startedAt: string | null;
      /** What its terminal showed when it had exited before. */
      readonly screen: string | null;
    }
  | {
      readonly state: 'exited';
      readonly at: number;
      readonly code: number | null;
      readonly signal: number | null;
      /** One line. */
      readonly reason: string;
      /** The last that its terminal showed; null where nothing was to be seen. */
      readonly screen: string | null;
      readonly killed: boolean;
      /** Why it never ran; null: it did. */
      readonly notStarted: string | null;
    }
  | {
      readonly state: 'lost';
      readonly at: number;
      readonly reason: string;
      readonly pid: number | null;
      readonly startedAt: string | null;
    };

/** One conversation of a session, numbered from 1. */
export interface Context {
  readonly number: number;
  /** The provider's own id of the conversation; null until it is known. */
  readonly providerId: string | null;
  /** The id of the conversation before it: a prompt of that one may be told late. */
  readonly previous: string | null;
  readonly beganAt: number;
  readonly beganBy: 'launch' | 'clear' | 'resume' | 'fork' | 'adopt';
  /** When the agent itself said that it begins. What another conversation said before that belongs to an earlier one. */
  readonly announcedAt: number | null;
  /**
   * What its transcript has from before then is not read: of a copy, it was said in the conversation that it is a copy
   * of; of one that was taken over, the agent before has told it.
   */
  readonly copiedAt: number | null;
  /** The provider said that this conversation is over; only then may another id take its place. */
  readonly ended: boolean;
  /** A new conversation that was announced before the end of this one was told. */
  readonly successor: {
    readonly providerId: string;
    readonly transcriptPath: string | null;
    readonly source: StartSource;
    readonly at: number;
  } | null;
  readonly transcript: Transcript | null;
  /** A prompt was accepted, so that there is something to resume. */
  readonly used: boolean;
}

/** How far it was read, and which turn ran there: most of its lines name none. */
export interface Transcript {
  readonly path: string;
  readonly offset: number;
  readonly turnId: string | null;
}

export type StartSource = 'startup' | 'resume' | 'clear' | 'compact';

/** From an accepted prompt to its end. */
export interface Turn {
  /** The provider's id of the prompt; null when the turn was only seen, not told. */
  readonly id: string | null;
  readonly beganAt: number;
  readonly messages: readonly MessageId[];
  /** Its own prompt has been told; any further one was typed while it ran. */
  readonly prompted: boolean;
  /** Prompts that were taken up together with this one: only the last of them is told to end. */
  readonly earlier: readonly { readonly id: string; readonly messages: readonly MessageId[] }[];
  /** How many of its tools run, as far as the agent tells. */
  readonly tools: number;
  /** Sessions that the agent itself wrote to in this turn: they need not hear its last words as well. */
  readonly wroteTo: readonly SessionId[];
  /** It is the first of a context that was handed over: what waited goes when it has ended. */
  readonly rotated: { readonly steps: number } | null;
  /** The agent has said all that it had to say; the end itself has not been told. */
  readonly closing: { readonly lastWords: string | null; readonly evidence: Evidence } | null;
  /** Somebody wants it to be interrupted. */
  readonly halt: Halt | null;
  readonly interrupt: Interrupt | null;
}

export interface EndedTurn {
  readonly id: string | null;
  readonly end: TurnEnd;
  readonly at: number;
  readonly lastWords: string | null;
}

export interface PastTurn {
  readonly id: string;
  /** Without its words. */
  readonly ending: Ending;
  /** Its own prompt had been told: one that is told later was typed while it ran, and another turn takes it up. */
  readonly prompted: boolean;
}

export interface EarlyEnd extends EndedTurn {
  readonly id: string;
  /** The agent has used up its limit. */
  readonly limit?: LimitReached;
  readonly stillRuns: number;
}

export interface Usage {
  readonly at: number;
  readonly percentage: number | null;
  readonly tokens: number | null;
  readonly windowSize: number | null;
  readonly model: string | null;
  readonly costUsd: number | null;
}

/** All that a lane holds in memory of one session. Messages that have ended are only in the store. */
export interface State {
  session: Session;
  /** Messages that wait for their moment, oldest first, by mode. */
  readonly queue: Readonly<Record<Mode, Map<MessageId, Message>>>;
  /** Messages that were typed or accepted and whose turn has not ended. */
  readonly active: Map<MessageId, Message>;
}

export type Phase =
  | 'starting'
  | 'idle'
  | 'working'
  | 'blocked'
  | 'compacting'
  | 'rotating'
  | 'exited'
  | 'lost';

export function phaseOf(session: Session): Phase {
  switch (session.process.state) {
    case 'exited':
      return 'exited';
    case 'lost':
      return 'lost';
    case 'launching':
      return 'starting';
    case 'running':
    case 'ending':
      if (session.question) return 'blocked';
      if (session.process.state === 'running' && !session.process.ready) return 'starting';
      if (session.compaction) return 'compacting';
      if (session.turn || session.enqueued.length > 0) return 'working';
      if (isUnderWay(session.handoff) && !waitsForBudget(session)) return 'rotating';
      return isStandingStill(session) || isHeld(session) ? 'blocked' : 'idle';
  }
}

/** Nothing is typed into it because of a budget, but for a clear: that costs nothing. */
const isHeld = (session: Session): boolean => holdOf(session) !== null && session.clear === null;

/** A context that is not cleared yet is not handed over while a budget holds it: the new one would use more. */
const waitsForBudget = (session: Session): boolean =>
  holdOf(session) !== null && session.handoff?.step === 'due';

/** Since when it is in its phase, as far as that is told. */
export function phaseSince(session: Session): number {
  const { process, question, compaction, turn, lastTurn, context } = session;
  switch (phaseOf(session)) {
    case 'exited':
    case 'lost':
      return 'at' in process ? process.at : session.lastActivityAt;
    case 'starting':
      return 'since' in process ? process.since : session.createdAt;
    case 'blocked':
      return question?.since ?? session.standstill?.since ?? heldSince(session);
    case 'compacting':
      return compaction?.since ?? session.lastActivityAt;
    case 'working':
      return turn?.beganAt ?? lastTurn?.at ?? session.lastActivityAt;
    case 'rotating':
    case 'idle':
      return Math.max(lastTurn?.at ?? 0, context.beganAt, 'since' in process ? process.since : 0);
  }
}

/** The budget may have been used up while a turn still ran. */
const heldSince = (session: Session): number =>
  Math.max(holdOf(session)?.since ?? session.lastActivityAt, session.lastTurn?.at ?? 0);

/** A handoff whose turn is over: the context rotates. */
export const isUnderWay = (handoff: Handoff | null): boolean =>
  handoff !== null && handoff.step !== 'scheduled';

/** Whether a turn that ends so ends in a handoff, so that nobody is told of its end yet. */
export function endsInHandoff({ handoff }: Session, how: Ending): boolean {
  if (!handoff || isGone(how) || how.end === 'interrupted') return false;
  // Cut by us, it goes on elsewhere; unless the turn that asked for it is over, and this one came of a background task.
  return handoff.step === 'due' || (handoff.step === 'scheduled' && how.end !== 'cut-off');
}

/** Of the first turn after a handoff more steps need not be counted: who has taken so many has worked. */
export const stepsCounted = 5;

/** Whether text that is typed now, while a turn runs, leaves alone what the agent says. */
export function takesText({ turn }: Session, { midTurn }: Manners): boolean {
  return midTurn === 'anytime' || (midTurn === 'in-tools' && (turn?.tools ?? 0) > 0);
}

/** A session whose process is, or may still be, alive. */
export function isAlive(session: Session): boolean {
  return session.process.state !== 'exited' && session.process.state !== 'lost';
}

/** A killed session leaves the lists; it can still be restored by its id. */
export function isRetired(session: Session): boolean {
  return session.process.state === 'exited' && session.process.killed;
}

export const named = (session: Session): Named => ({ id: session.id, name: displayName(session) });

/** `login (35c21191)`: how a sentence names it. */
export const nameAndId = (session: Session): string => `${displayName(session)} (${session.id})`;

export function displayName(session: Pick<Session, 'name' | 'friendlyName'>): string {
  return session.friendlyName ?? session.name;
}

/** As the agent calls it, as far as it has; else as it was asked for. */
export const modelOf = ({ agentModel, usage, model }: Session): string | null =>
  agentModel ?? usage?.model ?? model;

/** `claude 2.1.325` */
export function agentOf({ provider, agentVersion }: Pick<Session, 'provider' | 'agentVersion'>): string {
  return agentVersion === null ? `${provider}, version unknown` : `${provider} ${agentVersion}`;
}

/** A session that holds a lock. */
export type Holder = Session & { readonly lock: Lock };
