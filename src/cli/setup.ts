// What `sm setup` and `sm uninstall` have in common on the command line.
import { partNames } from '../ledger/ledger.ts';
import { runBundle } from './daemon/bundle.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { nearest } from './nearest.ts';
import { oneLine } from './text/safe.ts';

/** `config|completion|…`, as many as there are. */
export const partWords = partNames.join('|');

/** `flags`: those that were given, without dashes. */
export function runSetupProgram(
  io: Io,
  program: 'setup' | 'uninstall',
  parts: readonly string[],
  flags: readonly string[],
): Promise<number> {
  const unknown = parts.find((part) => !(partNames as readonly string[]).includes(part));
  if (unknown !== undefined) {
    const guess = nearest(unknown, partNames);
    const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
    throw new Failure(`Unknown part "${oneLine(unknown)}".${hint} There is: ${partNames.join(', ')}.`);
  }
  const asks = !flags.includes('yes') && !flags.includes('dry-run');
  if (asks && !(io.inputIsTerminal && io.outputIsTerminal))
    throw new Failure(
      `sm ${program} asks questions, and this is no terminal. To go without them: sm ${program} --yes`,
    );
  return runBundle(io, 'setup.cjs', [program, ...parts, ...flags.map((flag) => `--${flag}`)]);
}
