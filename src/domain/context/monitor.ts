// The context monitor: an agent cannot see how full its context is, so it is told, once at each mark of a cycle. A
// cycle is what lies between two compactions, clears or handoffs; no sample ends one.

import type { Draft } from '../core/change.ts';
import type { Input } from '../core/input.ts';
import type { Cycle } from '../core/parts.ts';
import type { Session, Usage } from '../core/session.ts';
import { enqueueOwn } from '../delivery/own-texts.ts';
import { takeBack } from '../delivery/queue.ts';
import { tellContext } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';
import { scheduleAuto } from './handoff.ts';

export const newCycle = (since: number): Cycle => ({
  since,
  warned: false,
  critical: false,
  sent: null,
  kept: null,
});

export function setMonitor(
  d: Draft,
  { enabled, notify }: Extract<Input, { type: 'monitor-context' }>,
): undefined {
  d.update({ monitor: { enabled, notify } });
  d.emit({ type: 'monitor-set', enabled, notify });
}

export function isMonitored(d: Draft): boolean {
  return d.session.monitor?.enabled ?? d.settings.context.enabled;
}

/** The marks are armed again, and what was said of the old cycle is taken back where it still waits. */
export function restartCycle(d: Draft, why: string): void {
  const { cycle } = d.session;
  if (cycle.sent) takeBack(d, [cycle.sent], why);
  d.update({ cycle: newCycle(d.now) });
}

/** A sample of this cycle: it goes into the history, thinned to whole points, and may reach a mark. */
export function marksReached(d: Draft, usage: Usage & { readonly percentage: number }): void {
  keep(d, usage);
  if (d.session.process.state !== 'running' || !isMonitored(d)) return;
  const { cycle } = d.session;
  const { warning, critical } = d.settings.context;
  if (usage.percentage >= critical) {
    if (cycle.critical) return;
    const path = scheduleAuto(d);
    say(d, 'urgent', wording.contextCritical(usage.percentage, path));
    d.update({ cycle: { ...d.session.cycle, warned: true, critical: true } });
    d.emit({ type: 'context-marked', mark: 'critical', percentage: usage.percentage });
    tellContext(d, 'critical', usage.percentage);
  } else if (usage.percentage >= warning && !cycle.warned) {
    say(d, 'sequential', wording.contextWarning(usage.percentage, usage.tokens ?? 0));
    d.update({ cycle: { ...d.session.cycle, warned: true } });
    d.emit({ type: 'context-marked', mark: 'warning', percentage: usage.percentage });
    tellContext(d, 'warning', usage.percentage);
  }
}

function say(d: Draft, mode: 'urgent' | 'sequential', text: string): void {
  const { cycle } = d.session;
  if (cycle.sent) takeBack(d, [cycle.sent], 'the context is fuller by now');
  const sent = enqueueOwn(d, { mode, text });
  d.update({ cycle: { ...d.session.cycle, sent } });
}

type Sample = Pick<Usage, 'tokens' | 'costUsd'> & { readonly percentage: number };

/** The history has a sample for each whole point that the context has grown or shrunk by, and the last of a cycle. */
function keep(d: Draft, sample: Sample): void {
  const { kept } = d.session.cycle;
  if (kept === null || Math.floor(kept) !== Math.floor(sample.percentage)) write(d, sample);
}

/** The context is about to be emptied, or its agent is gone: how full it was in the end is worth a sample. */
export function keepLast(d: Draft): void {
  const { usage, cycle } = d.session;
  if (cycle.kept === null || !usage || usage.percentage === null || usage.percentage === cycle.kept) return;
  write(d, { ...usage, percentage: usage.percentage });
}

function write(d: Draft, { percentage, tokens, costUsd }: Sample): void {
  const { cycle, context } = d.session;
  d.update({ cycle: { ...cycle, kept: percentage } });
  d.emit({ type: 'usage-sampled', context: context.number, percentage, tokens, costUsd });
}

/** What is known of the monitor, for whoever asks. */
export const monitorOf = (session: Session, enabledByDefault: boolean) => ({
  enabled: session.monitor?.enabled ?? enabledByDefault,
  notify: session.monitor?.notify ?? null,
});
