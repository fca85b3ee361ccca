// Where a test wants this daemon to die: SM_CRASH_AT is a named point, or `@FILE`, a file that names one. The file may
// come while the daemon runs, and then says only what is passed from then on; all of that is written down beside it.
import { appendFileSync, readFileSync } from 'node:fs';
import { armCrashPoint, type CrashPoints } from '../engine/crash-points.ts';

const die = () => void process.kill(process.pid, 'SIGKILL');

export function crashPointsOf({ SM_CRASH_AT: armed }: NodeJS.ProcessEnv): CrashPoints {
  return armed?.startsWith('@') ? armedByFile(armed.slice(1)) : armCrashPoint(armed, die);
}

function armedByFile(file: string): CrashPoints {
  let present: { readonly armed: string; readonly pass: CrashPoints } | null = null;
  return (point) => {
    const armed = contentOf(file);
    if (armed === null) {
      present = null;
      return;
    }
    if (present?.armed !== armed) present = { armed, pass: armCrashPoint(armed, die) };
    appendFileSync(`${file}.passed`, `${point}\n`);
    present.pass(point);
  };
}

/** It may be taken away at any moment. */
function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
