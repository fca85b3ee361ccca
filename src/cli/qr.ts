// A QR code for a terminal, two modules in each character.
import { encode } from 'uqr';

const [black, white] = ['\u001b[30m', '\u001b[47m'];

/** `painted`: in colours of its own, because cameras do not read a code that is light on dark. */
export function qrLines(text: string, painted: boolean): string[] {
  const { data } = encode(text, { border: 2 });
  const lines: string[] = [];
  for (let row = 0; row < data.length; row += 2) {
    const line = data[row]?.map((upper, at) => sign(upper, data[row + 1]?.[at] ?? false)).join('') ?? '';
    lines.push(painted ? `${black}${white}${line}\u001b[0m` : line);
  }
  return lines;
}

function sign(upper: boolean, lower: boolean): string {
  if (upper) return lower ? '█' : '▀';
  return lower ? '▄' : ' ';
}
