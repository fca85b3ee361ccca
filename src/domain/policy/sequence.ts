// A command of several parts: `a && b || c; d`. Each part is judged by itself, so it must be certain where each ends, and
// none may change what the next ones mean.
import { bare, simpleCommand } from './shell.ts';

/** More than this is no command that somebody has looked at. */
const mostParts = 32;
const operator = /&&|\|\||;/y;

/** The texts of its parts, each of which is a simple command. */
export function sequence(command: string): readonly string[] | { readonly not: string } {
  const text = bare(command);
  if (text.includes('\n')) return { not: 'it has several lines' };
  const parts = split(text);
  if (parts === null) return { not: 'a quote is not closed' };
  if (parts.length > mostParts) return { not: `it has more than ${mostParts} parts` };
  // What the split did not know, such as a backslash, is outside of quotes in one of them, and no simple command.
  for (const part of parts) {
    const read = simpleCommand(part);
    if ('not' in read) return read;
    const first = read.words[0]?.text ?? '';
    if (parts.length > 1 && changesShell.has(first))
      return { not: `${first} changes what other parts of it mean` };
  }
  return parts;
}

/** By operators outside of quotes. */
function split(text: string): string[] | null {
  const parts: string[] = [];
  let begin = 0;
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i] as string;
    operator.lastIndex = i;
    const [found] = operator.exec(text) ?? [];
    if (found !== undefined) {
      parts.push(bare(text.slice(begin, i)));
      begin = i + found.length;
      i = begin - 1;
    } else if (c === "'" || c === '"') {
      i = text.indexOf(c, i + 1);
      if (i < 0) return null;
    }
  }
  return [...parts, bare(text.slice(begin))];
}

/** What a shell does itself, and to itself. */
const changesShell = new Set(
  // Words of the grammar, and those that run a command in this shell.
  (
    '. source eval exec command builtin time coproc noglob nocorrect - repeat foreach end if then elif else fi for while ' +
    'until do done case esac in select function ' +
    // Variables, options, what a name of a command means, how files are made.
    'export declare typeset local readonly integer float private nameref let unset read readarray mapfile getopts getln ' +
    'print printf wait shift set setopt unsetopt emulate shopt alias unalias abbr hash rehash unhash enable disable trap ' +
    'autoload functions unfunction zmodload zle zstyle zparseopts zformat vared bind bindkey complete compgen compopt fc ' +
    'history umask ulimit limit unlimit return break continue'
  ).split(' '),
);
