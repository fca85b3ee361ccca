// One thing that the doctor looks at: what was found and, if it is not well, what to do.
export interface Finding {
  readonly name: string;
  readonly state: 'ok' | 'warn' | 'fail';
  readonly found: string;
  readonly advice?: string;
}

export const ok = (name: string, found: string): Finding => ({ name, state: 'ok', found });
export const warn = (name: string, found: string, advice: string): Finding => ({
  name,
  state: 'warn',
  found,
  advice,
});
export const fail = (name: string, found: string, advice: string): Finding => ({
  name,
  state: 'fail',
  found,
  advice,
});

/** Whether a version is at least another one; parts that are no numbers count as zero. */
export function isAtLeast(version: string, wanted: string): boolean {
  const parts = (text: string) => text.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const [have, want] = [parts(version), parts(wanted)];
  for (let i = 0; i < want.length; i += 1) {
    const difference = (have[i] ?? 0) - (want[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
