// Life of a session: created, launched, exited, lost, killed, restored.

import { compactionEnded } from '../context/compaction.ts';
import { cancel as cancelHandoff } from '../context/handoff.ts';
import { keepLast, newCycle } from '../context/monitor.ts';
import type { Draft } from '../core/change.ts';
import type { EffectResult } from '../core/effect.ts';
import type { Ending } from '../core/ending.ts';
import type { Fact } from '../core/fact.ts';
import type { Create, Input, Refusal, World } from '../core/input.ts';
import type { Actor, Evidence, SessionId } from '../core/names.ts';
import { type Context, isAlive, type Session } from '../core/session.ts';
import { abandon } from '../delivery/outcome.ts';
import { enqueue, failAll } from '../delivery/queue.ts';
import { tellGone } from '../notices/notices.ts';
import { howItDied, howItEnded } from '../notices/wording.ts';
import { release } from '../promises/locks.ts';
import { endReminder } from '../promises/reminders.ts';
import { failClear } from '../turns/clear.ts';
import { ready } from '../turns/contexts.ts';
import { answered } from '../turns/questions.ts';
import { endTurn, giveBack } from '../turns/turns.ts';
import { checkName, yieldTakenName } from './profile.ts';
import { lookForPhase } from './silence.ts';

type Created =
  | { readonly session: Session; readonly begin: (d: Draft) => void }
  | { readonly refusal: Refusal };

export function create(input: Create, now: number, world: World): Created {
  const badName = input.friendlyName === null ? undefined : checkName(input.friendlyName, input.id, world);
  if (badName) return { refusal: badName };
  const session: Session = {
    id: input.id,
    provider: input.provider,
    parentId: input.parentId,
    name: input.name,
    friendlyName: input.friendlyName,
    workingDir: input.workingDir,
    gitRemoteUrl: input.gitRemoteUrl,
    model: input.model,
    task: null,
    status: null,
    createdAt: now,
    lastActivityAt: now,
    process: { state: 'launching', since: now, resume: false, announced: null },
    agentVersion: null,
    midTurn: input.midTurn ?? 'anytime',
    context: firstContext(1, input.providerId, now),
    turn: null,
    lastTurn: null,
    endedTurns: [],
    earlyEnds: [],
    question: null,
    lastQuestion: null,
    compaction: null,
    attempt: null,
    clear: null,
    interrupt: null,
    enqueued: [],
    carried: [],
    alarms: [],
    watch: null,
    look: null,
    usage: null,
    cycle: newCycle(now),
    monitor: null,
    handoff: null,
    lastHandoff: null,
    autoHandoff: null,
    watchers: [],
    reminder: null,
    oneShots: [],
    lock: null,
    expectedClears: [],
    serial: 0,
  };
  const begin = (d: Draft) => {
    d.emit({
      type: 'session-created',
      provider: input.provider,
      name: input.friendlyName ?? input.name,
      workingDir: input.workingDir,
      parentId: input.parentId,
    });
    d.emit({ type: 'context-began', context: 1, providerId: input.providerId, by: 'launch' });
    if (input.prompt) enqueue(d, input.prompt);
    d.owe({ do: 'launch', providerId: input.providerId, resume: false, env: input.env });
  };
  return { session, begin };
}

export function launched(d: Draft, result: Extract<EffectResult, { outcome: 'launched' }>): void {
  const { pid, startedAt } = result;
  // A kill that came in between is still owed, and now knows whom it kills.
  if (d.session.process.state === 'ending') {
    d.update({ process: { ...d.session.process, pid, startedAt } });
    return;
  }
  if (d.session.process.state !== 'launching') return;
  const { announced } = d.session.process;
  // What the agent has said itself meanwhile is better.
  const agentVersion = d.session.agentVersion ?? result.agentVersion;
  d.update({ process: { state: 'running', since: d.now, pid, startedAt, ready: false }, agentVersion });
  d.emit({ type: 'session-launched', pid, agentVersion });
  if (announced) ready(d, announced);
}

export function launchFailed(d: Draft, why: string): void {
  if (d.session.process.state !== 'launching') return;
  end(d, {
    state: 'exited',
    at: d.now,
    code: null,
    signal: null,
    reason: `It could not be started: ${why}`,
    killed: false,
  });
}

export function exited(d: Draft, fact: Extract<Fact, { is: 'process-exited' }>): void {
  if (d.session.process.state !== 'running') return;
  const how =
    fact.signal !== null
      ? `ended by signal ${fact.signal}`
      : fact.code === null
        ? 'exit code unknown'
        : `exit code ${fact.code}`;
  const reason = fact.code === 0 || fact.screen === '' ? how : `${how}: ${fact.screen}`;
  end(d, { state: 'exited', at: d.now, code: fact.code, signal: fact.signal, reason, killed: false });
  d.owe({ do: 'bury' });
}

/** The pane is gone and nobody can say what became of the agent. */
export function gone(d: Draft, why: string): void {
  const { process } = d.session;
  if (process.state !== 'running') return;
  end(d, { state: 'lost', at: d.now, reason: why, pid: process.pid, startedAt: process.startedAt });
}

type Ended = Extract<Session['process'], { state: 'exited' | 'lost' }>;

function end(d: Draft, process: Ended): void {
  keepLast(d);
  const how = howItEnded(process);
  const evidence: Evidence = { source: 'screen', id: d.nextId('end'), at: d.now };
  const by = process.state === 'exited' && process.killed ? killerOf(d) : null;
  const told = (d.session.turn?.messages ?? []).flatMap((id) => senderOf(d, id));
  const ended: Ending = { end: 'died', how: howItDied(process), by };
  endTurn(d, ended, evidence);
  // A prompt that was not proven waits in the queue, for a session that is restored.
  cancelHandoff(d, 'the agent is gone');
  answered(d, 'the agent is gone');
  compactionEnded(d, 'the agent is gone');
  abandon(d, 'the agent is gone', true);
  failClear(d, 'the agent is gone');
  giveBack(d, 'the agent is gone', ended);
  endReminder(d, 'the agent is gone');
  // What the agent had enqueued when it was killed.
  if (process.state === 'exited' && process.killed) failAll(d, 'the session was killed');
  release(d, null, how);
  d.update({ process, look: null, expectedClears: [] });
  if (process.state === 'lost') d.emit({ type: 'session-lost', reason: process.reason });
  else d.emit({ type: 'session-exited', code: process.code, signal: process.signal, reason: process.reason });
  tellGone(d, `${how}.`, [...told, ...(by === null ? [] : [by])]);
}

function killerOf(d: Draft): SessionId | null {
  const { process } = d.session;
  return process.state === 'ending' && process.by.kind === 'session' ? process.by.id : null;
}

function senderOf(d: Draft, id: string): SessionId[] {
  const message = d.message(id);
  return message?.notify.onStop && message.from.kind === 'session' ? [message.from.id] : [];
}

export function kill(d: Draft, by: Actor): Refusal | undefined {
  const { process } = d.session;
  if (process.state === 'ending') return undefined;
  cancelHandoff(d, 'the session was killed');
  endReminder(d, 'the session was killed');
  d.update({ oneShots: [] });
  failAll(d, 'the session was killed');
  d.emit({ type: 'session-killed', by });
  const known = process.state === 'running' || process.state === 'lost';
  d.update({
    process: {
      state: 'ending',
      since: d.now,
      by,
      pid: known ? process.pid : null,
      startedAt: known ? process.startedAt : null,
    },
  });
  d.owe({ do: 'kill' });
  return undefined;
}

export function killed(d: Draft, failed: string | undefined): void {
  const { process } = d.session;
  if (process.state !== 'ending') return;
  if (failed === undefined) {
    end(d, { state: 'exited', at: d.now, code: null, signal: null, reason: 'killed', killed: true });
    return;
  }
  // It may live on, so it stays in the lists, and restoring it asks for its process first.
  const { pid, startedAt } = process;
  end(d, { state: 'lost', at: d.now, reason: `It could not be killed: ${failed}`, pid, startedAt });
}

export function restore(
  d: Draft,
  input: Extract<Input, { type: 'restore' }>,
  world: World,
): Refusal | undefined {
  const { process, context } = d.session;
  if (isAlive(d.session))
    return {
      code: 'conflict',
      message: `The session is alive; there is nothing to restore. Look at it with: sm attach ${d.session.id}`,
    };
  if (input.oldProcess === 'alive') {
    const pid = process.state === 'lost' ? process.pid : null;
    return {
      code: 'conflict',
      message: `Its old process ${pid ?? ''} still runs, and one conversation must not have two. End it first: kill ${pid ?? 'PID'}`,
    };
  }
  const resumed = input.resumable && context.providerId !== null ? context.providerId : null;
  const resume = resumed !== null;
  const providerId = resumed ?? input.providerId;
  d.update({
    process: { state: 'launching', since: d.now, resume, announced: null },
    context: resume
      ? { ...context, ended: false, successor: null }
      : freshContext(context, providerId, d.now),
    earlyEnds: [],
    lastActivityAt: d.now,
    agentVersion: null,
  });
  d.emit({ type: 'session-restored', by: input.by, resumed: resume });
  if (!resume) d.emit({ type: 'context-began', context: d.session.context.number, providerId, by: 'launch' });
  yieldTakenName(d, world);
  d.owe({ do: 'launch', providerId, resume, env: input.env });
  return undefined;
}

/** A conversation that nobody has any more is followed by the next; one in which nothing was said just starts again. */
function freshContext({ number, used }: Context, providerId: string | null, now: number): Context {
  return firstContext(used ? number + 1 : number, providerId, now);
}

function firstContext(number: number, providerId: string | null, now: number): Context {
  return {
    number,
    providerId,
    previous: null,
    beganAt: now,
    beganBy: 'launch',
    ended: false,
    successor: null,
    transcript: null,
    used: false,
  };
}

/** After a restart of the daemon: what is known is from before, so the pane is looked at once. */
export function adopt(d: Draft): undefined {
  if (d.session.process.state !== 'running') return;
  d.emit({ type: 'session-adopted' });
  lookForPhase(d);
}
