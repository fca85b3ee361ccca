// What is told of a session, always computed from its state.

import { type Budget, partUsed } from '../domain/core/budget.ts';
import { repositoryName } from '../domain/core/checkout.ts';
import type { EventBody } from '../domain/core/event.ts';
import { isStandingStill } from '../domain/core/limits.ts';
import type { Message } from '../domain/core/message.ts';
import { questionId } from '../domain/core/parts.ts';
import type { Holder } from '../domain/core/session.ts';
import {
  displayName,
  modelOf,
  type Phase,
  phaseOf,
  phaseSince,
  type Session,
  type State,
} from '../domain/core/session.ts';
import { unrecognisedSince } from '../domain/life/recognition.ts';
import * as wording from '../domain/notices/wording.ts';
import { isSilent, reminderDueAt } from '../domain/promises/reminders.ts';
import type { Provider } from '../ports/provider.ts';
import type { StoredEvent } from '../ports/store.ts';
import { paneName } from '../ports/terminal.ts';
import type { EventView, KnownEvent } from '../protocol/event.ts';
import type { MessageView } from '../protocol/message.ts';
import type { OneBudget, SessionView } from '../protocol/session.ts';
import { lockView } from './locks.ts';

/** `provider` says which sessions have a pane. */
export const sessionViews =
  (provider: (name: string) => Provider | undefined) =>
  (state: State): SessionView => ({
    ...viewOf(state),
    tmux_session:
      provider(state.session.provider)?.capabilities.pane === false ? null : paneName(state.session.id),
  });

function viewOf(state: State): Omit<SessionView, 'tmux_session'> {
  const { session } = state;
  const { context, usage, process } = session;
  const phase = phaseOf(session);
  const unrecognised = unrecognisedSince(session);
  return {
    id: session.id,
    name: session.name,
    friendly_name: session.friendlyName,
    display_name: displayName(session),
    provider: session.provider,
    working_dir: session.workingDir,
    git_remote_url: session.gitRemoteUrl,
    parent_session_id: session.parentId,
    status: statusOf(phase),
    phase,
    phase_since: iso(phaseSince(session)),
    created_at: iso(session.createdAt),
    last_activity: iso(session.lastActivityAt),
    current_task: session.task,
    tags: [...session.tags],
    agent_status_text: session.status?.text ?? null,
    agent_status_at: session.status && iso(session.status.at),
    last_handoff_path: session.lastHandoff?.path ?? null,
    tokens_used: usage?.tokens ?? 0,
    transcript_path: context.transcript?.path ?? null,
    model: modelOf(session),
    checkout: session.checkout ? { name: repositoryName(session.checkout), ...session.checkout } : null,
    options: optionsOf(session),
    forked_from: originOf(session),
    member: session.member,
    agent_version: session.agentVersion,
    screen_unrecognised_since: unrecognised === null ? null : iso(unrecognised),
    context: {
      number: context.number,
      provider_id: context.providerId,
      began_at: iso(context.beganAt),
      used_percentage: usage?.percentage ?? null,
      window_size: usage?.windowSize ?? null,
      cost_usd: usage?.costUsd ?? null,
    },
    last_turn: session.lastTurn && { end: session.lastTurn.end, at: iso(session.lastTurn.at) },
    silent: isSilent(session),
    turn: session.turn && { id: session.turn.id, began_at: iso(session.turn.beganAt) },
    reminder: reminderOf(session),
    question: session.question && {
      id: questionId(session.question),
      kind: session.question.kind,
      text: session.question.text,
      since: iso(session.question.since),
    },
    limit: limitOf(session),
    limits: session.limits
      ? {
          account: session.account,
          told_at: iso(session.limits.at),
          windows: session.limits.windows.map(({ name, used, resetsAt }) => ({
            name,
            used_percentage: used,
            resets_at: resetsAt === null ? null : iso(resetsAt),
          })),
        }
      : null,
    budget: budgetOf(session),
    ended: endOf(process),
    stranded: session.stranded ? { ...session.stranded, at: iso(session.stranded.at) } : null,
    waiting: waitingIn(state),
    lock: session.lock ? lockView(session as Holder) : null,
  };
}

function optionsOf({ options }: Session): SessionView['options'] {
  return {
    profile: options.profile,
    permission_mode: options.permissionMode,
    add_dirs: [...options.addDirs],
    mcp_configs: [...options.mcpConfigs],
    args: [...options.args],
    variables: [...(options.variables?.names ?? [])],
    sandbox: options.sandbox !== null,
  };
}

function limitOf(session: Session): SessionView['limit'] {
  const { standstill } = session;
  if (!standstill || !isStandingStill(session)) return null;
  const { since, until, text } = standstill;
  return { since: iso(since), until: until === null ? null : iso(until), text };
}

function budgetOf({ budgets: { own, family, hold } }: Session): SessionView['budget'] {
  if (!own && !family && !hold) return null;
  const near = [own, family].flatMap((each) =>
    each?.mark === 'near' ? [wording.budgetNear(each === family, each, each.used)] : [],
  );
  return {
    own: own && oneBudget(own),
    family: family && oneBudget(family),
    near: near[0] ?? null,
    hold: hold && { since: iso(hold.since), why: hold.why },
  };
}

const oneBudget = (budget: Budget): OneBudget => ({
  usd: budget.usd,
  tokens: budget.tokens,
  used_usd: budget.used.usd,
  used_tokens: budget.used.tokens,
  unpriced_tokens: budget.used.unpriced,
  used_percentage: Math.floor(partUsed(budget, budget.used) * 100),
  state: budget.mark,
});

function originOf({ forkedFrom: origin }: Session): SessionView['forked_from'] {
  return origin ? { session_id: origin.id, name: origin.name, context: origin.context } : null;
}

function reminderOf(session: Session): SessionView['reminder'] {
  if (!session.reminder) return null;
  const { soft, hard, since } = session.reminder;
  const next = reminderDueAt(session);
  return {
    soft_threshold: soft,
    hard_threshold: hard,
    since: iso(since),
    next_at: next === null ? null : iso(next),
  };
}

export function statusOf(phase: Phase): SessionView['status'] {
  if (phase === 'exited' || phase === 'lost') return 'stopped';
  return phase === 'idle' ? 'idle' : 'running';
}

function endOf(process: Session['process']): SessionView['ended'] {
  if (process.state === 'exited') {
    return {
      at: iso(process.at),
      code: process.code,
      signal: process.signal,
      reason: process.reason,
      killed: process.killed,
      ...(process.notStarted !== null && { not_started: process.notStarted }),
    };
  }
  return process.state === 'lost'
    ? { at: iso(process.at), code: null, signal: null, reason: process.reason, killed: false }
    : null;
}

/** What was typed and is not proven waits as well: an agent that is about to take it is not done. */
function waitingIn({ session, queue, active }: State): SessionView['waiting'] {
  const typed = session.attempt?.messages.filter((id) => active.has(id)) ?? [];
  const maps = Object.values(queue);
  const first = maps.map((map) => map.values().next().value).find((message) => message?.state.is === 'held');
  return {
    count: maps.reduce((sum, map) => sum + map.size, typed.length),
    held: typed.length === 0 && first?.state.is === 'held' ? first.state.why : null,
  };
}

export function messageView(message: Message): MessageView {
  const { state } = message;
  return {
    id: message.id,
    session_id: message.to,
    from: message.from,
    mode: message.mode,
    text: message.text,
    created_at: iso(message.createdAt),
    state: state.is,
    why: 'why' in state ? state.why : null,
    evidence: state.is === 'accepted' ? { ...state.evidence, at: iso(state.evidence.at) } : null,
    turn: 'turn' in state ? state.turn : null,
  };
}

/** As it goes over the wire: whoever adds a kind of event without a schema in the protocol is stopped here. */
export function eventView({ number, sessionId, at, body }: StoredEvent): EventView {
  const details = Object.entries(body).map(([key, value]) => [
    key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    value,
  ]);
  const told = {
    ...Object.fromEntries(details),
    number,
    session_id: sessionId,
    at: iso(at),
  } as Told<EventBody>;
  return told satisfies KnownEvent;
}

type Told<Body> = Body extends EventBody
  ? { [Key in keyof Body as Key extends 'at' ? never : Snake<Key & string>]: Body[Key] } & Head
  : never;
type Head = Pick<KnownEvent, 'number' | 'session_id' | 'at'>;
type Snake<Text extends string> = Text extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Text;

const iso = (time: number): string => new Date(time).toISOString();
