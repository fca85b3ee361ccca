// The look of a cell, as the parameters of one SGR sequence (`1;32`; empty: the default). Styles are compared and
// written as they are, so nothing is computed while a screen is painted.

import type { Depth, Pen } from '../faces/pen.ts';

export const plain = '';
export const bold = '1';
export const faint = '2';
export const reverse = '7';
export const red = '31';
export const green = '32';
export const yellow = '33';
export const cyan = '36';

/** One on top of the other. */
export function over(below: string, above: string): string {
  if (below === '' || above === '') return below || above;
  return `${below};${above}`;
}

/** Attributes have one digit, colours have more. */
export const colourless = (style: string): string =>
  style
    .split(';')
    .filter((part) => part.length === 1)
    .join(';');

/** How many colours a terminal shows. */
export function depthOf(env: Readonly<Record<string, string | undefined>>): Depth {
  const { NO_COLOR, COLORTERM = '', TERM = '' } = env;
  if (NO_COLOR || TERM === 'dumb') return 'none';
  if (/truecolor|24bit/.test(COLORTERM) || /direct|kitty|ghostty/.test(TERM)) return 'true';
  return /256/.test(TERM) ? '256' : '16';
}

export const styleOf = ({ attributes, foreground, background }: Pen): string =>
  [...attributes, foreground, background].filter((part) => part !== '').join(';');
