// Files of JSON lines that an agent is writing: its transcript.
import { existsSync, readFileSync } from 'node:fs';

/** It is made late, and its last line may be half written. */
// biome-ignore lint/suspicious/noExplicitAny: what is in a line differs from agent to agent
export function jsonLines<Line = any>(path: string): Line[] {
  if (!existsSync(path)) return [];
  const whole = readFileSync(path, 'utf8').split('\n').slice(0, -1);
  return whole.map((line) => JSON.parse(line));
}
