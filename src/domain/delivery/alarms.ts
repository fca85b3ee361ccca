// Alarms: what is to be looked at again at its time. Few messages have one, so a sorted list does.

import type { Draft } from '../core/change.ts';
import { isWaiting } from '../core/message.ts';
import type { Alarm } from '../core/parts.ts';
import { tellNotDelivered, tellSlow } from '../notices/notices.ts';
import { isStanding, leaveOut } from './outcome.ts';

export function setAlarm(d: Draft, alarm: Alarm): void {
  d.update({ alarms: [...d.session.alarms, alarm].sort((a, b) => a.at - b.at) });
}

export function alarmsDue(d: Draft): void {
  const due = d.session.alarms.filter(({ at }) => at <= d.now);
  if (due.length === 0) return;
  d.update({ alarms: d.session.alarms.slice(due.length) });
  for (const alarm of due) ring(d, alarm);
}

function ring(d: Draft, { kind, message: id }: Alarm): void {
  const message = d.message(id);
  if (!message) return;
  if (kind === 'slow' && message.state.is === 'accepted') tellSlow(d, message);
  if (kind !== 'expiry' || !isWaiting(message) || isStanding(d, id)) return;
  const why = 'its time ran out before the agent could take it';
  d.put({ ...message, state: { is: 'expired', at: d.now, why } });
  d.emit({ type: 'message-expired', message: id, why });
  leaveOut(d);
  tellNotDelivered(d, message, why);
}
