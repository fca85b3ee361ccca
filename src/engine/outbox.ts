// The outbox: runs owed effects, one at a time per session, so that a pane has one owner. Sessions never wait for
// each other. An effect's result is an input like any other; storing it is what settles the effect.

import type { Effect, EffectResult, OwedEffect } from '../domain/core/effect.ts';
import type { Input } from '../domain/core/input.ts';
import type { SessionId } from '../domain/core/names.ts';
import type { Session } from '../domain/core/session.ts';
import { isWanted } from '../domain/delivery/wanted.ts';
import { type EffectRunner, StillOwed } from '../ports/effects.ts';
import type { Log } from '../ports/log.ts';
import type { CrashPoints } from './crash-points.ts';

interface OutboxDeps {
  readonly runner: EffectRunner;
  readonly crash: CrashPoints;
  readonly log: Log;
  readonly session: (id: SessionId) => Session | undefined;
  /** Also one that was killed, which is no longer in memory. */
  readonly stored: (id: SessionId) => Promise<Session | undefined>;
  readonly result: (id: SessionId, input: Input) => Promise<void>;
  /** Puts something of a session into another session's lane. */
  readonly tellOther: (of: SessionId, effect: OtherEffect) => Promise<EffectResult>;
}

export type PostEffect = Extract<Effect, { do: 'post' }>;
export type OtherEffect = Extract<Effect, { do: 'post' | 'pass-on' }>;

export interface Outbox {
  add(owed: OwedEffect): void;
  /** An effect that was owed when the daemon died: it may or may not have run. */
  recover(owed: OwedEffect): void;
  stop(): Promise<void>;
}

export function createOutbox({ runner, crash, log, session, stored, result, tellOther }: OutboxDeps): Outbox {
  const tails = new Map<SessionId, Promise<void>>();
  let stopped = false;

  function enqueue(owed: OwedEffect, work: () => Promise<EffectResult>): void {
    const { sessionId } = owed;
    const next = (tails.get(sessionId) ?? Promise.resolve()).then(async () => {
      if (stopped) return;
      const outcome = await work().catch(stillOwed);
      if (outcome === null) return;
      await result(sessionId, { type: 'result', effectId: owed.id, result: outcome });
    });
    const tail = next.finally(() => {
      if (tails.get(sessionId) === tail) tails.delete(sessionId);
    });
    tails.set(sessionId, tail);
  }

  async function run(owed: OwedEffect): Promise<EffectResult> {
    // What is owed to others is owed also by a session that is gone.
    const { effect } = owed;
    if (effect.do === 'post' || effect.do === 'pass-on')
      return passing(owed, () => tellOther(owed.sessionId, effect));
    const current = session(owed.sessionId) ?? (await killed(owed));
    if (!current) return unresolved(owed, 'the session is gone');
    if (!isWanted(current, owed)) return { of: owed.effect.do, outcome: 'changed' } as EffectResult;
    return passing(owed, () => runner.run(owed, current));
  }

  /** A killed session has no agent, but may have a worktree. */
  async function killed({ sessionId, effect }: OwedEffect): Promise<Session | undefined> {
    return ofWorktree.has(effect.do) ? stored(sessionId) : undefined;
  }

  async function passing(owed: OwedEffect, work: () => Promise<EffectResult>): Promise<EffectResult> {
    crash(`effect:${owed.effect.do}:before@${owed.sessionId}`);
    try {
      const outcome = await work();
      crash(`effect:${owed.effect.do}:after@${owed.sessionId}`);
      return outcome;
    } catch (error) {
      if (error instanceof StillOwed) throw error;
      log.error(
        { session: owed.sessionId, effect: owed.effect.do, error: String(error) },
        'an effect failed',
      );
      return unresolved(owed, String((error as Error).message ?? error));
    }
  }

  return {
    add: (owed) => enqueue(owed, () => run(owed)),
    // Keys that may have gone out are never sent again blindly; everything else is safe to do twice.
    recover: (owed) =>
      enqueue(owed, () => {
        const { do: what } = owed.effect;
        const current = session(owed.sessionId);
        if (owed.effect.do === 'press') return Promise.resolve(unresolved(owed, 'the daemon ended'));
        const once = what === 'submit' || what === 'escape' || what === 'answer';
        return once && !(current && runner.mayRepeat?.(owed, current))
          ? Promise.resolve({ of: what, outcome: 'unknown' })
          : run(owed);
      }),
    async stop() {
      stopped = true;
      await Promise.all(tails.values());
    },
  };
}

const ofWorktree: ReadonlySet<Effect['do']> = new Set([
  'remove-worktree',
  'restore-worktree',
  'finish-worktree',
]);

function stillOwed(error: unknown): null {
  if (error instanceof StillOwed) return null;
  throw error;
}

/** The result of an effect that could not be run to its end claims as little as possible. */
function unresolved(owed: OwedEffect, why: string): EffectResult {
  switch (owed.effect.do) {
    case 'launch':
      return { of: 'launch', outcome: 'failed', why };
    case 'kill':
      return { of: 'kill', failed: why };
    case 'bury':
      return { of: 'bury' };
    case 'post':
      return { of: 'post', outcome: 'nobody' };
    case 'pass-on':
      return { of: 'pass-on' };
    case 'look':
      return { of: 'look', look: null };
    case 'press':
      return { of: 'press', press: owed.effect.press, key: owed.effect.key, outcome: 'unknown' };
    case 'check-document':
      return { of: 'check-document', outcome: 'bad', why };
    case 'publish-document':
      return { of: 'publish-document' };
    case 'remove-worktree':
      return { of: 'remove-worktree', outcome: 'kept', why };
    case 'finish-worktree':
      return { of: 'finish-worktree', outcome: 'stopped', why };
    case 'restore-worktree':
      return { of: 'restore-worktree', outcome: 'failed', why };
    case 'leave-copy-mode':
      return { of: 'leave-copy-mode' };
    case 'answer':
      return { of: 'answer', outcome: 'nobody' };
    case 'submit':
    case 'escape':
      return { of: owed.effect.do, outcome: 'unknown' };
  }
}
