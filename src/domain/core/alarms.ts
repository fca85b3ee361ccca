// What is to be looked at again at its time, the earliest first. Few messages have one, so a sorted list does.
import type { Change } from './change.ts';
import type { Alarm } from './parts.ts';

export function setAlarm(c: Change, alarm: Alarm): void {
  c.update({ alarms: [...c.session.alarms, alarm].sort((a, b) => a.at - b.at) });
}
