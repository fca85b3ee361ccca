// Times as people say them.
/** `45s ago`, `2m ago`, `3h ago`, `4d ago`. */
export function ago(at: string, now: number): string {
  return `${duration(now - Date.parse(at))} ago`;
}

export function duration(milliseconds: number): string {
  // A clock that runs a little behind must not make a thing happen in the future.
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (Number.isNaN(seconds)) return '?';
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h`;
  return `${Math.floor(seconds / 86_400)}d`;
}

/** `43 ms`, `1.2 s`, `5m`: how long something took. */
export function elapsed(milliseconds: number): string {
  const whole = Math.max(0, Math.round(milliseconds));
  if (whole < 1000) return `${whole} ms`;
  return whole < 60_000 ? `${(whole / 1000).toFixed(1)} s` : duration(whole);
}

/** The local time; with the date unless it is today's. */
export function clock(at: string | number, now: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '?';
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = `${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
  if (time.toDateString() === new Date(now).toDateString()) return hours;
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} ${hours}`;
}

/** As `clock`, to the millisecond. */
export function exactClock(at: string | number, now: number): string {
  const text = clock(at, now);
  return text === '?' ? text : `${text}.${String(new Date(at).getMilliseconds()).padStart(3, '0')}`;
}

const soon = 20 * 3_600_000;

/** A list is drawn with every key, and to ask for the name of a month takes longer than all the rest of it. */
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * `14:02`; the day when it was not today: `12 Nov`. What stands on a screen for hours must stay true. What comes within the
 * next hours is a time, also after midnight.
 */
export function shortClock(at: string, now: number): string {
  const time = new Date(at);
  if (Number.isNaN(time.getTime())) return '?';
  const two = (value: number) => String(value).padStart(2, '0');
  const ahead = time.getTime() - now;
  if (time.toDateString() === new Date(now).toDateString() || (ahead > 0 && ahead < soon))
    return `${two(time.getHours())}:${two(time.getMinutes())}`;
  return `${time.getDate()} ${months[time.getMonth()]}`;
}
