// What the rules say to a call. Denials win; what no rule covers is asked, as if there were no rules.
import { aboutCall, type Call, type Deed, namesOf } from './call.ts';
import { fits, matches, onlyText } from './glob.ts';
import { fileMatches } from './paths.ts';
import { commandPattern, type Pattern, type Rule } from './rule.ts';
import { sequence } from './sequence.ts';
import { bare, baseName, commandsIn, patternWords, simpleCommand, type Word } from './shell.ts';
import { urlMatches } from './urls.ts';

/** The session that makes the call. */
export interface Who {
  readonly id: string;
  /** Its tags are among them: `tag:night`. */
  readonly names: readonly string[];
  readonly profile: string | null;
}

/**
 * `also`: the other rules that it takes to allow all parts of a command. `missed`: rules that are about this tool and this
 * session and do not cover the call, and why.
 */
export type Verdict =
  | {
      readonly decision: 'allow' | 'deny';
      readonly rule: Rule;
      readonly also: readonly Rule[];
      readonly missed: readonly Missed[];
    }
  | {
      readonly decision: 'ask';
      readonly rule: null;
      readonly also: readonly [];
      readonly missed: readonly Missed[];
    };

export interface Missed {
  readonly rule: Rule;
  readonly why: string;
}

export function judge(rules: readonly Rule[], who: Who, call: Call): Verdict {
  const concerned = rules.filter((rule) => isFor(rule, who) && isAbout(rule, call));
  const whole = verdict(concerned, call);
  if (whole.decision !== 'ask' || call.does.is !== 'command') return whole;
  const parts = partsIn(call.does);
  if ('not' in parts || parts.length < 2) return whole;
  const each = parts.map(({ text: command }) =>
    verdict(concerned, { ...call, does: { is: 'command', command } }),
  );
  const denied = each.find(({ decision }) => decision === 'deny');
  if (denied) return denied;
  const used = [...new Set(each.map(({ rule }) => rule))];
  const [rule, ...also] = used.filter((one) => one !== null);
  if (!rule || used.includes(null)) return whole;
  const missed = whole.missed.filter((one) => !used.includes(one.rule));
  return { decision: 'allow', rule, also, missed };
}

function verdict(rules: readonly Rule[], call: Call): Verdict {
  const judged = rules.map((rule) => ({ rule, why: whyNot(rule, call) }));
  const missed = judged.flatMap(({ rule, why }) => (why === null ? [] : [{ rule, why }]));
  const covering = judged.flatMap(({ rule, why }) => (why === null ? [rule] : []));
  const rule = covering.find(({ decision }) => decision === 'deny') ?? covering[0];
  return rule
    ? { decision: rule.decision, rule, also: [], missed }
    : { decision: 'ask', rule: null, also: [], missed };
}

export function isFor({ session, profile }: Rule, who: Who): boolean {
  if (profile !== null && profile !== who.profile) return false;
  return session === null || session === who.id || who.names.some((name) => matches(session, name));
}

const isAbout = ({ pattern }: Rule, call: Call): boolean =>
  namesOf(call).some((name) => matches(pattern.tool, name));

/** Null: it covers the call. */
function whyNot({ decision, pattern }: Rule, call: Call): string | null {
  const { input } = pattern;
  if (decision === 'deny') return input === null ? null : whyNotDenied(input, pattern, call);
  const { does } = call;
  // Whoever can write the rules needs none.
  if (does.is === 'edit' && does.files.some(({ ours }) => ours)) return 'the file belongs to sm';
  return input === null ? null : whyNotAllowed(input, pattern, call);
}

function whyNotAllowed(input: string, pattern: Pattern, call: Call): string | null {
  const { does } = call;
  switch (does.is) {
    case 'command':
      return whyNotCommand(input, pattern, does);
    case 'fetch':
      return urlMatches(input, does.url) ? null : 'the address is another one';
    case 'other':
      return 'an allow for this tool cannot depend on its input';
    default:
      if (does.files.length === 0 || does.files.some(({ real }) => real === null))
        return 'nobody can tell which file it is about';
      return does.files.every((file) => fileMatches(input, file, call, 'real')) ? null : otherPath(does);
  }
}

function otherPath({ files }: Extract<Deed, { is: 'edit' | 'read' }>): string {
  const linked = files.find(({ path, real }) => real !== path);
  return linked
    ? `the path is another one: ${linked.path} is really ${linked.real}`
    : 'the path is another one';
}

/** What is not surely simple is allowed only to the letter. */
function whyNotCommand(input: string, pattern: Pattern, does: Command): string | null {
  if (onlyText(input) === bare(does.command)) return null;
  const parts = partsIn(does);
  if ('not' in parts) return `the command cannot be read with certainty: ${parts.not}`;
  const wanted = wordsOfPattern(pattern);
  const covered = parts.filter(({ words }) => 'words' in wanted && wordsMatch(wanted.words, words));
  if (covered.length === parts.length) return null;
  if (parts.length === 1) return 'the command is another one';
  return covered.length === 0
    ? 'no part of the command is that'
    : `it covers only a part of the command: ${covered.map(({ text }) => text).join(', ')}`;
}

function whyNotDenied(input: string, pattern: Pattern, call: Call): string | null {
  const { does } = call;
  switch (does.is) {
    case 'command':
      return isAmong(pattern, does) ? null : 'no part of the command is that';
    case 'fetch':
      return urlMatches(input, does.url) ? null : 'the address is another one';
    case 'other':
      return does.texts.some((text) => matches(input, text)) ? null : 'no part of its input is that';
    default:
      return does.files.some((file) => fileMatches(input, file, call, 'both'))
        ? null
        : 'the path is another one';
  }
}

function isAmong(pattern: Pattern, does: Command): boolean {
  const wanted = wordsOfPattern(pattern);
  if ('not' in wanted) {
    const input = commandPattern(pattern.input ?? '');
    return matches(`*${input}*`, does.command) || onlyText(input) === bare(does.command);
  }
  return commandsOf(does).some(({ texts, words, anywhere }) => {
    const starts = anywhere ? words.keys() : [0];
    for (const at of starts) {
      if (wordsMatch(wanted.words, words, at)) return true;
      const program = asWord(baseName(texts[at] ?? ''));
      if (wordsMatch(wanted.words, words, at, program)) return true;
    }
    return false;
  });
}

type Command = Extract<Deed, { is: 'command' }>;

/** Many rules look at one command, and one rule at many: each is read once. */
function once<Of extends object, Found>(read: (of: Of) => Found): (of: Of) => Found {
  const known = new WeakMap<Of, Found>();
  return (of) => {
    const found = known.get(of) ?? read(of);
    known.set(of, found);
    return found;
  };
}

const wordsOfPattern = once(({ input }: Pattern) => patternWords(commandPattern(input ?? '')));
const partsIn = once(({ command }: Command) => {
  const parts = sequence(command);
  if ('not' in parts) return parts;
  return parts.map((text) => {
    const read = simpleCommand(text);
    return { text, words: 'words' in read ? read.words : [] };
  });
});
const commandsOf = once(({ command }: Command) =>
  commandsIn(command).map(({ words: texts, anywhere }) => ({ texts, words: texts.map(asWord), anywhere })),
);

const asWord = (text: string): Word => ({ text, parts: [text], sure: true });

/** A star at the end stands for everything that follows, further words too; any other one stays within its word. */
function wordsMatch(
  pattern: readonly Word[],
  words: readonly Word[],
  at = 0,
  program: Word | undefined = words[at],
): boolean {
  const last = pattern.at(-1);
  const openEnded = last !== undefined && last.parts.length > 1 && last.parts.at(-1) === '';
  const fixed = openEnded && last.text === '*' ? pattern.slice(0, -1) : pattern;
  const given = words.length - at;
  if (openEnded ? given < fixed.length : given !== fixed.length) return false;
  return fixed.every(({ parts }, i) => {
    const word = i === 0 ? program : words[at + i];
    return word?.sure === true && fits(parts, word.text);
  });
}

/** What an agent is told when a rule denies its call. */
export function denial({ reason, id }: Rule, call: Call): string {
  const about = aboutCall(call).split('\n', 1)[0] as string;
  const why = reason === null ? 'Do it another way, or ask the user.' : reason;
  return `[sm] Denied by rule ${id} of the user: ${call.tool}: ${about}. ${why}`;
}
