// What `sm setup` and `sm uninstall` have in common on the command line.
import { partNames } from '../ledger/ledger.ts';
import { runBundle } from './daemon/bundle.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { nearest } from './nearest.ts';
import { oneLine } from './text/safe.ts';

/** `config|completion|…`, as many as there are. */
export const partWords = partNames.join('|');

/** `switches`: whether each was given. */
export function runSetupProgram(
  io: Io,
  program: 'setup' | 'uninstall',
  parts: readonly string[],
  switches: Readonly<Record<string, boolean>>,
): Promise<number> {
  const unknown = parts.find((part) => !(partNames as readonly string[]).includes(part));
  if (unknown !== undefined) {
    const guess = nearest(unknown, partNames);
    const hint = guess === undefined ? '' : ` Did you mean ${guess}?`;
    throw new Failure(`Unknown part "${oneLine(unknown)}".${hint} There is: ${partNames.join(', ')}.`);
  }
  const flags = Object.keys(switches).filter((name) => switches[name]);
  const asks = !switches.yes && !switches['dry-run'];
  if (asks && !(io.inputIsTerminal && io.outputIsTerminal))
    throw new Failure(
      `sm ${program} asks questions, and this is no terminal. To go without them: sm ${program} --yes`,
    );
  return runBundle(io, 'setup.cjs', [program, ...parts, ...flags.map((flag) => `--${flag}`)]);
}
