// Life of a session: created, launched, exited, lost, killed, restored.

import { type Budgets, newBudget, noBudgets } from '../core/budget.ts';
import type { Change } from '../core/change.ts';
import type { EffectResult } from '../core/effect.ts';
import type { Ending } from '../core/ending.ts';
import type { Fact } from '../core/fact.ts';
import type { Create, Input, Others, Refusal } from '../core/input.ts';
import type { Actor, Evidence, SessionId } from '../core/names.ts';
import { newCycle } from '../core/parts.ts';
import { conflict, stands } from '../core/refusal.ts';
import {
  type Bigger,
  isAlive,
  isRetired,
  nameAndId,
  named,
  type Origin,
  type Session,
} from '../core/session.ts';
import { nothingSpent } from '../core/spending.ts';
import { abandon } from '../delivery/outcome.ts';
import { enqueue, failAll } from '../delivery/queue.ts';
import { tellGone } from '../notices/notices.ts';
import { howItDied, howItEnded } from '../notices/wording.ts';
import { failClear } from '../turns/clear.ts';
import { dropCommands } from '../turns/commands.ts';
import { ready } from '../turns/contexts.ts';
import { questionOver } from '../turns/question.ts';
import { endTurn, giveBack } from '../turns/turns.ts';
import { firstContext, relaunch } from './launching.ts';
import { checkName, yieldTakenName } from './naming.ts';
import { lookForPhase } from './silence.ts';
import { faultOfTags, inOrder } from './tags.ts';
import { failTakeover } from './takeover.ts';
import { noPlaceToWork } from './worktrees.ts';

type Created =
  | { readonly session: Session; readonly begin: (c: Change) => void }
  | { readonly refusal: Refusal };

export function create(input: Create, now: number, others: Others): Created {
  const badName = input.friendlyName === null ? undefined : checkName(input.friendlyName, input.id, others);
  if (badName) return { refusal: badName };
  const there = input.member ? others.memberOf(input.member) : null;
  if (there) return { refusal: placeTaken(there) };
  const owner = input.adopts && input.providerId !== null ? others.ownerOf(input.providerId) : null;
  if (owner) return { refusal: conversationTaken(owner) };
  const badTags = faultOfTags(input.tags);
  if (badTags !== null) return { refusal: { code: 'invalid', message: badTags } };
  const session: Session = {
    id: input.id,
    provider: input.provider,
    parentId: input.parentId,
    name: input.name,
    friendlyName: input.friendlyName,
    workingDir: input.workingDir,
    gitRemoteUrl: input.gitRemoteUrl,
    worktree: input.worktree,
    checkout: null,
    model: input.model,
    agentModel: null,
    options: input.options,
    forkedFrom: input.forkedFrom,
    member: input.member,
    task: null,
    tags: inOrder(input.tags),
    status: null,
    createdAt: now,
    lastActivityAt: now,
    process: {
      state: 'launching',
      since: now,
      resume: input.adopts !== null,
      announced: null,
      replaces: null,
    },
    stranded: null,
    agentVersion: null,
    context: {
      ...firstContext(1, input.providerId, now, input.forkedFrom ? 'fork' : 'launch'),
      ...(input.adopts && { beganBy: 'adopt', transcript: input.adopts, used: true }),
    },
    turn: null,
    lastTurn: null,
    endedTurns: [],
    earlyEnds: [],
    question: null,
    lastQuestion: null,
    rulings: [],
    compaction: null,
    attempt: null,
    clear: null,
    takeover: null,
    commands: [],
    idleEscapeAt: null,
    enqueued: [],
    carried: [],
    alarms: [],
    silence: null,
    look: null,
    unrecognised: null,
    usage: null,
    spending: nothingSpent,
    budgets: budgetsOf(input, others),
    account: null,
    limits: null,
    standstill: null,
    cycle: newCycle(now),
    monitor: null,
    handoff: null,
    lastHandoff: null,
    autoHandoff: null,
    watchers: [],
    reminder: null,
    oneShots: [],
    comments: [],
    lock: null,
    expectedClears: [],
    serial: 0,
  };
  const begin = (c: Change) => {
    c.emit({
      type: 'session',
      step: 'created',
      provider: input.provider,
      name: input.friendlyName ?? input.name,
      workingDir: input.workingDir,
      parentId: input.parentId,
      ...(input.forkedFrom && { forkedFrom: placeOf(input.forkedFrom) }),
    });
    const { beganBy: by } = session.context;
    c.emit({ type: 'context', step: 'began', context: 1, providerId: input.providerId, by });
    if (input.prompt) enqueue(c, input.prompt);
    const fork = input.forkedFrom && { fork: input.forkedFrom.providerId };
    const resume = input.adopts !== null;
    c.owe({ do: 'launch', providerId: input.providerId, resume, ...fork, env: input.env });
  };
  return { session, begin };
}

/** A family budget that is used up holds new children as well. */
function budgetsOf({ parentId, budgets }: Create, others: Others): Budgets {
  const hold = (parentId === null ? null : others.relative(parentId))?.budgets.toldChildren ?? null;
  return {
    ...noBudgets,
    own: budgets?.own ? newBudget(budgets.own) : null,
    family: budgets?.family ? newBudget(budgets.family) : null,
    above: hold && { is: 'hold', serial: -1, hold },
  };
}

const placeOf = ({ id, name, context }: Origin) => ({ id, name, context });

function placeTaken(there: Session): Refusal {
  const { team = '', name: member = '' } = there.member ?? {};
  const data = { is: 'place-taken', team, member, by: named(there) } as const;
  return conflict(`The team ${team} already has a member ${member}: ${nameAndId(there)}.`, data);
}

export function conversationTaken(owner: Session): Refusal {
  const data = { is: 'conversation-taken', session: named(owner), killed: isRetired(owner) } as const;
  return conflict(`This conversation belongs to ${nameAndId(owner)}.`, data);
}

export function launched(c: Change, result: Extract<EffectResult, { outcome: 'launched' }>): void {
  const { pid, startedAt, under = null } = result;
  // A kill that came in between is still owed, and now knows whom it kills.
  if (c.session.process.state === 'ending') {
    c.update({ process: { ...c.session.process, pid, startedAt } });
    return;
  }
  if (c.session.process.state !== 'launching') return;
  const { announced } = c.session.process;
  // What the agent has said itself meanwhile is better.
  const agentVersion = c.session.agentVersion ?? result.agentVersion;
  c.update({
    process: { state: 'running', since: c.now, pid, startedAt, ready: false, under },
    agentVersion,
    account: result.account ?? c.session.account,
  });
  c.emit({ type: 'session', step: 'launched', pid, agentVersion });
  if (announced) ready(c, announced);
}

export function launchFailed(c: Change, why: string): void {
  const { process } = c.session;
  if (process.state !== 'launching') return;
  // Restored, it is again what it was.
  if (process.replaces) c.update({ provider: process.replaces.provider });
  end(c, {
    state: 'exited',
    at: c.now,
    code: null,
    signal: null,
    reason: `It could not be started: ${why}`,
    screen: null,
    killed: false,
    notStarted: why,
  });
}

export function exited(c: Change, fact: Extract<Fact, { is: 'process-exited' }>): void {
  if (c.session.process.state !== 'running') return;
  const { code, signal } = fact;
  const reason = signal !== null ? `killed by signal ${signal}` : `exit code ${code ?? 'unknown'}`;
  end(c, {
    state: 'exited',
    at: c.now,
    code,
    signal,
    reason,
    screen: fact.screen || null,
    killed: false,
    notStarted: null,
  });
  strand(c, fact.with);
  c.owe({ do: 'bury' });
}

/** The pane is gone and nobody can say what became of the agent. */
export function gone(c: Change, fact: Extract<Fact, { is: 'process-gone' }>): void {
  const { process } = c.session;
  if (process.state !== 'running') return;
  end(c, { state: 'lost', at: c.now, reason: fact.why, pid: process.pid, startedAt: process.startedAt });
  strand(c, fact.with);
}

/** It did not end by itself and nobody ended it: it is to come back with the others. */
function strand(c: Change, bigger: Bigger | undefined): void {
  if (bigger) c.update({ stranded: { with: bigger, at: c.now } });
}

type Ended = Extract<Session['process'], { state: 'exited' | 'lost' }>;

function end(c: Change, process: Ended): void {
  c.announce({ is: 'agent-ending' });
  const how = howItEnded(process);
  const evidence: Evidence = { source: 'screen', id: c.nextId('end'), at: c.now };
  const by = process.state === 'exited' && process.killed ? killerOf(c) : null;
  const told = (c.session.turn?.messages ?? []).flatMap((id) => senderOf(c, id));
  const ended: Ending = { end: 'died', how: howItDied(process), by };
  endTurn(c, ended, evidence);
  // A prompt that was not proven waits in the queue, for a session that is restored.
  c.announce({ is: 'agent-gone' });
  questionOver(c, 'the agent is gone');
  abandon(c, 'the agent is gone', true);
  dropCommands(c, 'the agent is gone');
  failClear(c, 'the agent is gone');
  failTakeover(c, 'the agent is gone');
  giveBack(c, 'the agent is gone', ended);
  // What the agent had enqueued when it was killed.
  if (process.state === 'exited' && process.killed) failAll(c, 'the session was killed');
  c.announce({ is: 'session-ended', how });
  c.update({ process, look: null, expectedClears: [] });
  if (process.state === 'lost') c.emit({ type: 'session', step: 'lost', reason: process.reason });
  else {
    const { code, signal, reason, screen, killed, notStarted } = process;
    c.emit({
      type: 'session',
      step: 'exited',
      code,
      signal,
      reason,
      screen,
      killed,
      ...(notStarted !== null && { notStarted }),
    });
  }
  tellGone(c, `${how}.`, [...told, ...(by === null ? [] : [by])]);
}

function killerOf(c: Change): SessionId | null {
  const { process } = c.session;
  return process.state === 'ending' && process.by.kind === 'session' ? process.by.id : null;
}

function senderOf(c: Change, id: string): SessionId[] {
  const message = c.message(id);
  return message?.notify.turnEnd && message.from.kind === 'session' ? [message.from.id] : [];
}

export function kill(c: Change, by: Actor): Refusal | undefined {
  const { process } = c.session;
  if (process.state === 'ending') return undefined;
  c.announce({ is: 'killed' });
  c.update({ oneShots: [] });
  failAll(c, 'the session was killed');
  dropCommands(c, 'the session was killed');
  c.emit({ type: 'session', step: 'killed', by });
  const known = process.state === 'running' || process.state === 'lost';
  c.update({
    process: {
      state: 'ending',
      since: c.now,
      by,
      pid: known ? process.pid : null,
      startedAt: known ? process.startedAt : null,
      screen: process.state === 'exited' ? process.screen : null,
    },
    stranded: null,
  });
  c.owe({ do: 'kill' });
  return undefined;
}

export function killed(c: Change, { failed, screen }: Extract<EffectResult, { of: 'kill' }>): void {
  const { process } = c.session;
  if (process.state !== 'ending') return;
  if (failed === undefined) {
    end(c, {
      state: 'exited',
      at: c.now,
      code: null,
      signal: null,
      reason: 'killed',
      screen: screen || process.screen,
      killed: true,
      notStarted: null,
    });
    return;
  }
  // It may live on, so it stays in the lists, and restoring it asks for its process first.
  const { pid, startedAt } = process;
  end(c, { state: 'lost', at: c.now, reason: `It could not be killed: ${failed}`, pid, startedAt });
}

export function restore(
  c: Change,
  input: Extract<Input, { type: 'restore' }>,
  others: Others,
): Refusal | undefined {
  const { process } = c.session;
  if (isAlive(c.session))
    return stands(
      c.session,
      'running',
      `${nameAndId(c.session)} is running, so there is nothing to restore.`,
    );
  const noPlace = noPlaceToWork(c.session);
  if (noPlace) return noPlace;
  if (input.oldProcess === 'alive') {
    const pid = process.state === 'lost' ? process.pid : null;
    const which = pid === null ? 'Its old process' : `Its old process ${pid}`;
    return conflict(`${which} still runs; two processes must not share a conversation.`, {
      is: 'old-process',
      session: named(c.session),
      pid,
    });
  }
  const there = c.session.member ? others.memberOf(c.session.member) : null;
  if (there && there.id !== c.session.id) return placeTaken(there);
  if (input.variables) c.update({ options: { ...c.session.options, variables: input.variables } });
  relaunch(c, input, (resumed) => c.emit({ type: 'session', step: 'restored', by: input.by, resumed }));
  yieldTakenName(c, others);
  return undefined;
}

/** After a restart of the daemon: what is known is from before, so the pane is looked at once. */
export function adopt(c: Change): undefined {
  if (c.session.process.state !== 'running') return;
  c.emit({ type: 'session', step: 'adopted' });
  lookForPhase(c);
}
