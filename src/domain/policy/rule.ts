// A rule: which calls of which sessions it allows or denies.
import { type Call, commonNames, namesOf, toolsThat } from './call.ts';
import { literally, matches } from './glob.ts';
import { bare, isLauncher, patternWords } from './shell.ts';
import { hostOf } from './urls.ts';

export interface Rule {
  /** Names it for ever: of a rule in the configuration, its file and line. */
  readonly id: string;
  readonly decision: 'allow' | 'deny';
  readonly pattern: Pattern;
  /** The sessions that it is for, by id, name, or a name with stars; null: all. */
  readonly session: string | null;
  /** Those of this profile; null: of any, or none. */
  readonly profile: string | null;
  /** What an agent is told with a denial. */
  readonly reason: string | null;
}

/** `Bash(git status *)`: a tool, and what its input must be like. */
export interface Pattern {
  readonly tool: string;
  /** Null: whatever it is. */
  readonly input: string | null;
}

export function parsePattern(text: string): Pattern | { readonly fault: string } {
  const [, tool, , input] = /^([\w.*:-]+)(\(([\s\S]*)\))?$/.exec(text.trim()) ?? [];
  if (tool === undefined)
    return { fault: `"${text}" is no pattern. Write TOOL or TOOL(INPUT): Bash(git status *)` };
  if (input === undefined) return { tool, input: null };
  if (input.trim() === '')
    return { fault: `"${text}" has nothing in its parentheses. Write ${tool} for every call.` };
  return { tool, input: bare(input) };
}

export const patternText = ({ tool, input }: Pattern): string =>
  input === null ? tool : `${tool}(${input})`;

/** `allow Bash(npm test) for login` */
export function ruleText({ decision, pattern, session, profile }: Rule): string {
  const who = [session, profile === null ? null : `profile ${profile}`].filter((each) => each !== null);
  return `${decision} ${patternText(pattern)}${who.length > 0 ? ` for ${who.join(', ')}` : ''}`;
}

/** What an allow of this pattern gives away besides what it seems to; null: nothing. */
export function givesAway({ tool, input }: Pattern): string | null {
  if (matches(tool, commonNames.command)) {
    if (input === null || isStars(input)) return 'every command';
    const read = patternWords(commandPattern(input));
    const words = 'words' in read ? read.words : [];
    const [first] = words;
    const openEnded = words.at(-1)?.parts.at(-1) === '' && (words.at(-1)?.parts.length ?? 0) > 1;
    if (first && openEnded && (isStars(first.text) || isLauncher(first.text)))
      return `every command, because ${first.text} runs what it is given`;
  }
  if (
    toolsThat('edit').some((each) => matches(tool, each)) &&
    (input === null || /^(\/|~\/?)\**$/.test(input))
  )
    return 'changes of every file. For the files of its directory: Edit(**)';
  return tool.startsWith('*') && input === null ? 'every tool' : null;
}

const isStars = (text: string): boolean => /^[*\s:]*$/.test(text);

/** `git status:*`, as Claude Code writes it, is `git status *`. */
export const commandPattern = (input: string): string => input.replace(/:\*$/, ' *');

/** The narrowest useful pattern for calls like this one. */
export function patternFor(call: Call): Pattern | { readonly fault: string } {
  const { does } = call;
  const tool = namesOf(call).at(-1) as string;
  switch (does.is) {
    case 'command':
      return { tool, input: literally(bare(does.command)) };
    case 'fetch': {
      const host = hostOf(does.url);
      return host === null ? { fault: `${does.url} has no host` } : { tool, input: host };
    }
    case 'other':
      return { tool, input: null };
    default: {
      const [file, ...more] = does.files;
      if (!file || more.length > 0 || file.real === null)
        return {
          fault: more.length > 0 ? 'it is about several files' : 'nobody can tell which file it is about',
        };
      return { tool, input: literally(file.real) };
    }
  }
}
