// Text that others wrote, made safe for a terminal: an escape sequence in a name must not move anybody's cursor.

/** Control characters, and those that turn the direction of the text around them or stand alone in error. */
const unsafe =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Cs}/gu;

/** Keeps the lines of a text, and makes everything else visible that a terminal would act upon. */
export function safeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\t', '    ').replace(unsafe, visible);
}

/** Most texts are, and a list has thousands of them. */
const plainLine = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;

/** The whole text on one line. */
export function oneLine(text: string): string {
  if (plainLine.test(text)) return text;
  return safeText(text.trim().replace(/\s+/g, ' '));
}

/** The same of each. Most lists are plain, and then a look at all of it is enough. */
export function oneLines(texts: readonly string[]): readonly string[] {
  const isPlain = !/[^\x20-\x7e]/.test(texts.join('')) && !/^ | $| {2}/m.test(texts.join('\n'));
  return isPlain ? texts : texts.map(oneLine);
}

/** JSON that means the same, in which nothing is left that a terminal would act upon. */
export function safeJson(value: unknown): string {
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${JSON.stringify(value, null, 2).replace(unsafe, escaped)}\n`;
}

function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : '\ufffd';
}
