// Nobody but us speaks in our name. A line of somebody's text that looks like a header or a notice of ours is quoted,
// so that neither we nor the agent can take it for one. The words stay readable.

/** Whatever an agent or a terminal may take for the end of a line. */
const lineEnds = /(\r\n|[\n\r\v\f\x85\u2028\u2029])/;
/** What cannot be seen: it must not hide our mark from us while the agent reads it. */
const invisible = /[\p{Cf}\p{Mn}\u115f\u1160\u2800\u3164\uffa0]/gu;

/** `[sm]`, `[sm remind]`, `［ｓｍ］` …: what every header and notice of ours begins with. */
const isMark = (line: string): boolean =>
  /^\[\s*sm(?![a-z0-9])/i.test(
    line.replace(invisible, '').trimStart().slice(0, 16).normalize('NFKC').replace(invisible, ''),
  );

export function disarm(text: string): string {
  if (!/[[\uff3b]/.test(text)) return text;
  return text
    .split(lineEnds)
    .map((line) => (isMark(line) ? `> ${line}` : line))
    .join('');
}

/** A text of our own begins with our mark; what it quotes of others comes on later lines. */
export function disarmQuoted(text: string): string {
  const [first = '', ...rest] = text.split(lineEnds);
  return first + disarm(rest.join(''));
}
