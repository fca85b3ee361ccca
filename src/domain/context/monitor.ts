// The context monitor: an agent cannot see how full its context is, so it is told, once at each mark of a cycle. A
// cycle is what lies between two compactions, clears or handoffs; no sample ends one.

import type { Change } from '../core/change.ts';
import type { Input } from '../core/input.ts';
import type { Session, Usage } from '../core/session.ts';
import { enqueueOwn } from '../delivery/own-texts.ts';
import { takeBack } from '../delivery/queue.ts';
import { tellContext } from '../notices/notices.ts';
import * as wording from '../notices/wording.ts';
import { keep } from './cycle.ts';
import { scheduleAuto } from './handoff.ts';

export function setMonitor(
  c: Change,
  { enabled, notify }: Extract<Input, { type: 'monitor-context' }>,
): undefined {
  c.update({ monitor: { enabled, notify } });
  c.emit({ type: 'monitor-set', enabled, notify });
}

export function isMonitored(c: Change): boolean {
  return c.session.monitor?.enabled ?? c.settings.context.enabled;
}

/** A sample of this cycle: it goes into the history, thinned to whole points, and may reach a mark. */
export function marksReached(c: Change, usage: Usage & { readonly percentage: number }): void {
  keep(c, usage);
  if (c.session.process.state !== 'running' || !isMonitored(c)) return;
  const { cycle } = c.session;
  const { warning, critical } = c.settings.context;
  if (usage.percentage >= critical) {
    if (cycle.mark === 'critical') return;
    const path = scheduleAuto(c);
    say(c, 'urgent', wording.contextCritical(usage.percentage, path));
    c.update({ cycle: { ...c.session.cycle, mark: 'critical' } });
    c.emit({ type: 'usage', step: 'marked', mark: 'critical', percentage: usage.percentage });
    tellContext(c, 'critical', usage.percentage);
  } else if (usage.percentage >= warning && cycle.mark === null) {
    say(c, 'sequential', wording.contextWarning(usage.percentage, usage.tokens ?? 0));
    c.update({ cycle: { ...c.session.cycle, mark: 'warning' } });
    c.emit({ type: 'usage', step: 'marked', mark: 'warning', percentage: usage.percentage });
    tellContext(c, 'warning', usage.percentage);
  }
}

function say(c: Change, mode: 'urgent' | 'sequential', text: string): void {
  const { cycle } = c.session;
  if (cycle.sent) takeBack(c, [cycle.sent], 'the context is fuller now');
  const sent = enqueueOwn(c, { mode, text });
  c.update({ cycle: { ...c.session.cycle, sent } });
}

/** What is known of the monitor, for whoever asks. */
export const monitorOf = (session: Session, enabledByDefault: boolean) => ({
  enabled: session.monitor?.enabled ?? enabledByDefault,
  notify: session.monitor?.notify ?? null,
});
