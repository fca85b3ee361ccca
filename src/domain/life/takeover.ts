// A session moves to another kind of agent that goes on with the same conversation: from no terminal into one, or back.
// It is looked at once more before, so that neither a turn nor a human's draft is lost with the old process. The new one
// is launched in its place: whoever launches it ends the old one first, by its identity, so that there is one owner at
// every moment.

import type { Change } from '../core/change.ts';
import type { EffectResult } from '../core/effect.ts';
import type { Look } from '../core/fact.ts';
import type { Input, Refusal } from '../core/input.ts';
import type { SlashCommand } from '../core/parts.ts';
import { stands } from '../core/refusal.ts';
import { nameAndId, phaseOf } from '../core/session.ts';
import { abandon } from '../delivery/outcome.ts';
import { openIn } from '../delivery/verdict.ts';
import { isThere } from '../turns/clear.ts';
import { relaunch } from './launching.ts';

export function takeOver(c: Change, input: Extract<Input, { type: 'take-over' }>): Refusal | undefined {
  const { by, to, resumable, forkable, providerId, env } = input;
  const refusal = isThere(c) ?? isBusy(c);
  if (refusal) return refusal;
  // What has not been typed yet goes to the new process.
  if (c.session.attempt) abandon(c, 'the session is taken over');
  const effect = c.owe({ do: 'look' });
  c.update({ takeover: { by, to, resumable, forkable, providerId, env, effect } });
  return undefined;
}

function isBusy({ session }: Change): Refusal | null {
  const phase = phaseOf(session);
  if (phase !== 'idle') return stands(session, 'working', `${nameAndId(session)} is ${phase}.`);
  if (session.takeover)
    return stands(session, 'moving', `${nameAndId(session)} is already being taken over.`);
  const goes =
    session.attempt?.step === 'typed' || session.clear || session.commands.some(({ is }) => isGoing(is));
  return goes ? stands(session, 'typing', `Something is on its way to ${nameAndId(session)}.`) : null;
}

const isGoing = (is: SlashCommand['is']): boolean => is !== 'waiting' && is !== 'looking';

/** The look that was asked for before the old process is ended. */
export function seenForTakeover(c: Change, seen: Look | null): void {
  const { takeover, process, provider, context } = c.session;
  if (!takeover) return;
  const why = hindrance(c, seen);
  if (why !== null || process.state !== 'running') {
    failTakeover(c, why ?? 'the agent is gone');
    return;
  }
  const { by, to } = takeover;
  const { pid, startedAt, under } = process;
  c.update({ provider: to, takeover: null, context: { ...context, copiedAt: c.now } });
  const tell = (resumed: boolean) => c.emit({ type: 'session', step: 'moved', by, provider: to, resumed });
  relaunch(c, takeover, tell, { provider, pid, startedAt, under });
}

function hindrance(c: Change, seen: Look | null): string | null {
  const phase = phaseOf(c.session);
  if (phase !== 'idle') return `the session is ${phase}`;
  const open = openIn(seen, c.now);
  switch (open.is) {
    case 'dialog':
      return 'a dialog is open';
    case 'scrolled':
      return 'a human is scrolling in the pane';
    case 'refused':
      return open.why;
    case 'open':
      if (open.activity === 'working') return 'it works';
      return open.composer?.draft || open.composer?.stash ? 'a draft stands in its composer' : null;
  }
}

export function failTakeover(c: Change, why: string): void {
  if (!c.session.takeover) return;
  c.update({ takeover: null });
  c.emit({ type: 'session', step: 'not-moved', why });
}

/** The new process could not be started, and the old one has not been ended: everything is as it was. */
export function stayed(c: Change, { why }: Extract<EffectResult, { outcome: 'failed' }>): boolean {
  const { process } = c.session;
  if (process.state !== 'launching' || !process.replaces) return false;
  const { provider, ...old } = process.replaces;
  c.update({ provider, process: { state: 'running', since: c.now, ...old, ready: true } });
  c.emit({ type: 'session', step: 'not-moved', why });
  return true;
}
