// A line of the daemon's log, which is JSON, as a person reads it.
import { oneLine, safeText } from './safe.ts';
import { clock } from './time.ts';

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info',
  40: 'warn',
  50: 'error',
  60: 'fatal',
};

interface LogEntry {
  readonly level: number;
  readonly time: number | string;
  readonly msg?: string;
  readonly pid?: unknown;
  readonly hostname?: unknown;
  readonly [detail: string]: unknown;
}

export function logText(line: string, now: number): string {
  const entry = parse(line);
  if (!entry) return safeText(line);
  const { level, time, msg = '', pid: _, hostname: __, ...details } = entry;
  const facts = Object.entries(details).map(
    ([name, value]) => `${oneLine(name)}=${oneLine(valueText(value))}`,
  );
  return [clock(time, now), (levels[level] ?? String(level)).padEnd(5), oneLine(msg), ...facts].join('  ');
}

function parse(line: string): LogEntry | undefined {
  try {
    const value = JSON.parse(line);
    return typeof value?.level === 'number' && 'time' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return value;
  const message = (value as { message?: unknown } | null)?.message;
  return typeof message === 'string' ? message : JSON.stringify(value);
}
