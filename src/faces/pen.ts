// What is on after an SGR sequence, for faces that show what a terminal shows.

export type Depth = 'none' | '16' | '256' | 'true';

/** In the colours that there are; each is the parameters that turn it on. */
export interface Pen {
  attributes: readonly string[];
  foreground: string;
  background: string;
}

export const freshPen: Pen = { attributes: [], foreground: '', background: '' };

const ends: Readonly<Record<number, readonly string[]>> = {
  22: ['1', '2'],
  23: ['3'],
  24: ['4'],
  25: ['5'],
  27: ['7'],
  28: ['8'],
  29: ['9'],
};

/** `codes`: what stands between `ESC [` and `m`. */
export function draw(pen: Pen, codes: string, depth: Depth): Pen {
  let next = pen;
  // A colon binds the parts of one parameter; of underlines only that there is one matters here.
  const list = codes.replace(/\b4:(\d)/g, (_, kind) => (kind === '0' ? '24' : '4')).split(/[;:]/);
  const numbers = list.map((part) => (part === '' ? 0 : Number(part)));
  for (let index = 0; index < numbers.length; index += 1) {
    const code = numbers[index] as number;
    const ended = ends[code];
    if (code === 0) next = freshPen;
    else if (code === 5)
      continue; // nothing moves here
    else if (code <= 9) next = { ...next, attributes: [...new Set([...next.attributes, String(code)])] };
    else if (ended) next = { ...next, attributes: next.attributes.filter((each) => !ended.includes(each)) };
    else if (code === 38 || code === 48 || code === 58) {
      const mode = numbers[index + 1];
      // `38:2::r:g:b` has an empty place for the colour space.
      const spaced = mode === 2 && codes.includes(':') && numbers.length - index >= 6 ? 1 : 0;
      const parts = numbers.slice(index + 2 + spaced, index + (mode === 5 ? 3 : 5) + spaced);
      index += (mode === 5 ? 2 : 4) + spaced;
      const colour = nearestColour(code === 48 ? 40 : 30, mode === 5 ? 'palette' : 'true', parts, depth);
      if (code === 38) next = { ...next, foreground: colour };
      if (code === 48) next = { ...next, background: colour };
    } else if (code === 39) next = { ...next, foreground: '' };
    else if (code === 49) next = { ...next, background: '' };
    else if (isBasic(code, 30)) next = { ...next, foreground: depth === 'none' ? '' : String(code) };
    else if (isBasic(code, 40)) next = { ...next, background: depth === 'none' ? '' : String(code) };
  }
  return next;
}

const isBasic = (code: number, base: 30 | 40): boolean =>
  (code >= base && code <= base + 7) || (code >= base + 60 && code <= base + 67);

function nearestColour(
  base: 30 | 40,
  kind: 'palette' | 'true',
  parts: readonly number[],
  depth: Depth,
): string {
  if (depth === 'none' || parts.some((part) => !Number.isInteger(part) || part < 0 || part > 255)) return '';
  if (kind === 'palette') {
    const [index = 0] = parts;
    if (index < 8) return String(base + index);
    if (index < 16) return String(base + 60 + index - 8);
    return depth === '16' ? basic(base, rgbOf(index)) : `${base + 8};5;${index}`;
  }
  const [r = 0, g = 0, b = 0] = parts;
  if (depth === 'true') return `${base + 8};2;${r};${g};${b}`;
  return depth === '256' ? `${base + 8};5;${inPalette([r, g, b])}` : basic(base, [r, g, b]);
}

type Rgb = readonly [number, number, number];

const cube = [0, 95, 135, 175, 215, 255];

/** Of one of the 256, from 16 on. */
export function rgbOf(index: number): Rgb {
  if (index >= 232) {
    const grey = 8 + (index - 232) * 10;
    return [grey, grey, grey];
  }
  const place = index - 16;
  const part = (step: number) => cube[Math.floor(place / step) % 6] as number;
  return [part(36), part(6), part(1)];
}

function inPalette([r, g, b]: Rgb): number {
  const near = (value: number) => (value < 48 ? 0 : value < 115 ? 1 : Math.floor((value - 35) / 40));
  const grey = Math.max(0, Math.min(23, Math.round(((r + g + b) / 3 - 8) / 10)));
  const inCube = 16 + 36 * near(r) + 6 * near(g) + near(b);
  const away = ([x, y, z]: Rgb) => (x - r) ** 2 + (y - g) ** 2 + (z - b) ** 2;
  return away(rgbOf(232 + grey)) < away(rgbOf(inCube)) ? 232 + grey : inCube;
}

/** One of the sixteen: its hue by what is strong in it, bright or not. */
function basic(base: 30 | 40, [r, g, b]: Rgb): string {
  const most = Math.max(r, g, b);
  if (most < 50) return String(base);
  const strong = (value: number) => (value > most * 0.6 ? 1 : 0);
  const hue = strong(r) + 2 * strong(g) + 4 * strong(b);
  if (hue === 7 && most < 160) return String(base + 60);
  return String(base + (most > 190 && hue !== 7 ? 60 : 0) + hue);
}
