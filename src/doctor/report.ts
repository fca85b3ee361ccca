// The findings in words, within 80 columns. A command stands on a line of its own, to be copied.
import type { Finding } from './check.ts';

export const reportWidth = 80;
const indent = ' '.repeat(20);

/** `home`: what `~` stands for. */
export function reportLines(
  findings: readonly Finding[],
  home: string | undefined,
  width = reportWidth,
): string[] {
  return findings.flatMap((finding) => lines(finding, home, width));
}

function lines(
  { name, state, found, advice, repair }: Finding,
  home: string | undefined,
  width: number,
): string[] {
  const mark = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' }[state];
  const text = (words: string) => wrap(short(words, home), width - indent.length);
  const [first, ...more] = text(found);
  return [
    `${mark} ${name.padEnd(14)} ${first}`,
    ...[...more, ...(advice === undefined ? [] : text(advice))].map((line) => indent + line),
    ...(repair === undefined ? [] : command(short(repair, home), width)),
  ];
}

/** Beginning further to the left, where there is more room; one that is too long goes on as a shell reads it. */
function command(text: string, width: number): string[] {
  const [first = '', ...more] = wrap(text, width - 9);
  const all = [`     → ${first}`, ...more.map((line) => `       ${line}`)];
  return all.map((line, i) => (i < all.length - 1 ? `${line} \\` : line));
}

/** `sm doctor --abilities`: `rows` is a table with a column for each agent. */
export function abilityLines([head = [], ...rows]: readonly (readonly string[])[]): string[] {
  return head.slice(1).flatMap((name, i) => [
    ...(i > 0 ? [''] : []),
    name,
    ...rows.flatMap((row) => {
      const [first = '', ...more] = wrap(row[0] ?? '', reportWidth - 21);
      return [`  ${(row[i + 1] ?? '').padEnd(18)} ${first}`, ...more.map((line) => ' '.repeat(21) + line)];
    }),
  ]);
}

const short = (text: string, home: string | undefined): string =>
  home && home.length > 1 ? text.replaceAll(`${home}/`, '~/') : text;

/** At spaces where there are any; a word that is longer than a line is cut. */
export function wrap(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const done: string[] = [];
    let rest = line;
    while (rest.length > columns) {
      const space = rest.lastIndexOf(' ', columns);
      const at = space > 0 ? space : columns;
      done.push(rest.slice(0, at));
      rest = rest.slice(at).trimStart();
    }
    return [...done, rest];
  });
}
