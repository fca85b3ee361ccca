// Alarms: what is to be looked at again at its time. Few messages have one, so a sorted list does.

import { become } from '../core/become.ts';
import type { Change } from '../core/change.ts';
import { isWaiting } from '../core/message.ts';
import type { Alarm } from '../core/parts.ts';
import { tellFailed, tellSlow } from '../notices/notices.ts';
import { isStanding, leaveOut } from './outcome.ts';

export function alarmsDue(c: Change): void {
  const due = c.session.alarms.filter(({ at }) => at <= c.now);
  if (due.length === 0) return;
  c.update({ alarms: c.session.alarms.slice(due.length) });
  for (const alarm of due) ring(c, alarm);
}

function ring(c: Change, { kind, message: id }: Alarm): void {
  const message = c.message(id);
  if (!message) return;
  if (kind === 'slow' && message.state.is === 'accepted') tellSlow(c, message);
  if (kind !== 'expiry' || !isWaiting(message) || isStanding(c, id)) return;
  const why = 'it expired before the agent could take it';
  become(c, message, { is: 'expired', at: c.now, why });
  leaveOut(c);
  tellFailed(c, message, why);
}
