// Colours where somebody looks, and only where they tell something.
import type { Io } from '../io.ts';

export type Paint = (text: string) => string;

export interface Colours {
  readonly bold: Paint;
  readonly dim: Paint;
  readonly red: Paint;
  readonly green: Paint;
  readonly yellow: Paint;
}

export const isColoured = ({ outputIsTerminal, env }: Pick<Io, 'outputIsTerminal' | 'env'>): boolean =>
  outputIsTerminal && !env.NO_COLOR && env.TERM !== 'dumb';

export function coloursFor(io: Pick<Io, 'outputIsTerminal' | 'env'>): Colours {
  const wanted = isColoured(io);
  const style = (on: number, off: number): Paint =>
    wanted ? (text) => (text === '' ? '' : `\u001b[${on}m${text}\u001b[${off}m`) : (text) => text;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
  };
}

/** Only what wants a look stands out. */
export function phaseColour(phase: string, colours: Colours): Paint | undefined {
  if (phase === 'working' || phase === 'compacting' || phase === 'rotating') return colours.green;
  if (phase === 'blocked') return colours.yellow;
  if (phase === 'lost') return colours.red;
  return phase === 'exited' ? colours.dim : undefined;
}
