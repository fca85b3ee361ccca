// Who may do what to a session: one table, asked before every command. What an act needs besides (that the session
// runs, say) is for the act itself to say.

import type { Change } from './change.ts';
import type { Input, Others, Refusal } from './input.ts';
import { type Actor, person, type SessionId } from './names.ts';
import { nameAndId, named, type Session } from './session.ts';
import type { Settings } from './settings.ts';

/** What somebody asks for; every other input is something that happens. */
export type Command = Exclude<
  Input,
  {
    type:
      | 'create'
      | 'wrote'
      | 'passed-on'
      | 'fact'
      | 'result'
      | 'transcript-read'
      | 'adopted'
      | 'checkout-seen'
      | 'worktree-progress'
      | 'due';
  }
>;
export type Act = Command['type'];

/**
 * What the one who acts is to the session. `family`: they have the same eldest ancestor. `author`: it wrote the very
 * message, or set the very reminder, that the act is about.
 */
export type Relation = 'person' | 'self' | 'parent' | 'family' | 'stranger' | 'author';

interface Rule {
  readonly may: readonly Relation[];
  /** The act in words. `it` and `its` are the session, by name where the sentence has not named it yet. */
  readonly to: (it: string, its: string) => string;
}

const everybody: Rule = { may: ['person', 'self', 'parent', 'family', 'stranger'], to: () => '' };
const rule = (may: readonly Relation[], to: Rule['to']): Rule => ({ may, to });

const table: Readonly<Record<Act, Rule>> = {
  send: everybody,
  watch: everybody,
  'await-lock': everybody,
  rename: rule(['person', 'self', 'parent'], (it) => `rename ${it}`),
  'set-task': rule(['person', 'self', 'parent'], (_, its) => `set ${its} task`),
  'set-budget': rule(['person', 'parent'], (_, its) => `set ${its} budget`),
  tag: rule(['person', 'self', 'parent'], (it) => `tag ${it}`),
  report: rule(['person', 'self'], (_, its) => `report ${its} status`),
  kill: rule(['person', 'parent'], (it) => `kill ${it}`),
  restore: rule(['person', 'parent'], (it) => `restore ${it}`),
  'take-over': rule(['person', 'parent'], (it) => `take ${it} over`),
  'remove-worktree': rule(['person', 'parent'], (_, its) => `remove ${its} worktree`),
  'finish-worktree': rule(['person', 'parent'], (_, its) => `finish ${its} worktree`),
  'restore-worktree': rule(['person', 'parent'], (_, its) => `restore ${its} worktree`),
  clear: rule(['person', 'parent'], (it) => `clear ${it}`),
  interrupt: rule(['person', 'parent'], (it) => `interrupt ${it}`),
  'expect-clear': rule(['person', 'parent'], (it) => `clear ${it}`),
  slash: rule(['person', 'parent'], (it) => `give ${it} commands`),
  comment: rule(['person', 'parent'], (_, its) => `comment on ${its} changes`),
  'drop-comment': rule(['person', 'parent'], (_, its) => `delete comments on ${its} changes`),
  'send-comments': rule(['person', 'parent'], (it) => `send ${it} comments`),
  // A key answers a dialog, so it takes the same right. The parent has it only where the configuration says so.
  answer: rule(['person', 'parent'], (it) => `answer what ${it} asks`),
  press: rule(['person', 'parent'], (_, its) => `press keys in ${its} terminal`),
  handoff: rule(['self'], () => ''),
  lock: rule(['person', 'self'], (it) => `take a lock for ${it}`),
  unlock: rule(['person', 'self', 'parent'], (_, its) => `release ${its} lock`),
  'monitor-context': rule(['person', 'self', 'parent'], (_, its) => `set ${its} context monitor`),
  remind: rule(['person', 'self', 'parent', 'family'], (it) => `remind ${it}`),
  'stop-reminding': rule(['person', 'self', 'parent', 'family'], (_, its) => `stop ${its} reminder`),
  'remind-once': rule(['person', 'self', 'parent', 'family'], (it) => `remind ${it}`),
  'cancel-reminder': rule(['person', 'self', 'parent', 'author'], () => 'cancel this reminder'),
  withdraw: rule(['person', 'author'], () => 'withdraw a message'),
};

/** Why the caller may not do it; undefined: the caller may. */
export function forbidden(c: Change, input: Input, others: Others): Refusal | undefined {
  if (!isCommand(input) || table[input.type] === everybody) return undefined;
  const unruly = input.type === 'answer' && input.rule !== undefined ? mayWriteRules(input.by) : undefined;
  if (unruly) return unruly;
  const may = allowed(input.type, c.settings);
  if (relations(c, input, others).some((relation) => may.includes(relation))) return undefined;
  const data = { is: 'not-allowed', session: named(c.session), act: input.type, may } as const;
  return { code: 'forbidden', message: whoMay(c.session, input.type, may), data };
}

/** Rules bind every session: one that could write them could do anything. */
export function mayWriteRules(by: Actor): Refusal | undefined {
  if (by.kind === 'person') return undefined;
  const data = { is: 'only-a-person', act: 'write-rules' } as const;
  return { code: 'forbidden', message: 'Only a person may write rules for permissions.', data };
}

/** Only its family may search what a session was told and has said. */
export function maySearch(session: Session, by: SessionId, isFamily: boolean): Refusal | undefined {
  if (by === session.id || isFamily) return undefined;
  const may = ['family', 'person'] as const;
  return {
    code: 'forbidden',
    message: `Only ${listed(relativesAmong(may, nameAndId(session)).concat('a person'))} may search it.`,
    data: { is: 'not-allowed', session: named(session), act: 'search', may },
  };
}

/** What it was told and has said goes on under another name, with its options and variables. */
export function mayFork(session: Session, by: Actor): Refusal | undefined {
  if (by.kind === 'person' || by.id === session.id || by.id === session.parentId) return undefined;
  const data = { is: 'not-allowed', session: named(session), act: 'fork', may: ['self', 'parent'] } as const;
  return {
    code: 'forbidden',
    message: `Only ${nameAndId(session)} itself, its parent, or a person may fork it.`,
    data,
  };
}

const isCommand = (input: Input): input is Command => input.type in table;

function allowed(act: Act, { parentsMayAnswer }: Settings): readonly Relation[] {
  const { may } = table[act];
  const isAnswer = act === 'answer' || act === 'press';
  return isAnswer && !parentsMayAnswer ? may.filter((relation) => relation !== 'parent') : may;
}

function relations(c: Change, input: Command, others: Others): Relation[] {
  const by = actorIn(input);
  const relation = relationOf(c.session, by, others);
  return isAuthor(c, input, by) ? [relation, 'author'] : [relation];
}

function relationOf({ id, parentId }: Session, by: Actor, others: Others): Relation {
  if (by.kind === 'person') return 'person';
  if (by.id === id) return 'self';
  if (by.id === parentId) return 'parent';
  return others.isFamily(by.id, id) ? 'family' : 'stranger';
}

function actorIn(input: Command): Actor {
  switch (input.type) {
    case 'send':
    case 'remind-once':
      return input.from.kind === 'session' ? input.from : person;
    case 'watch':
    case 'await-lock':
      return { kind: 'session', id: input.by };
    default:
      return input.by ?? person;
  }
}

/** What is gone has no author, and everybody may hear that it is gone. */
function isAuthor(c: Change, input: Command, by: Actor): boolean {
  if (input.type !== 'withdraw' && input.type !== 'cancel-reminder') return false;
  const { id } = input;
  const about = input.type === 'withdraw' ? c.message(id) : c.session.oneShots.find((each) => each.id === id);
  if (!about) return true;
  return by.kind === 'session' && about.from.kind === 'session' && about.from.id === by.id;
}

/** `Only the parent of login (35c21191), or a person, may kill it.` */
function whoMay(session: Session, act: Act, may: readonly Relation[]): string {
  if (act === 'handoff') return 'sm handoff is self-directed only — requester must equal target session';
  const name = nameAndId(session);
  const relatives = relativesAmong(may, name);
  const authors = may.includes('author')
    ? [act === 'withdraw' ? 'its sender' : 'the session that set it']
    : [];
  const who = listed([...relatives, ...authors, 'a person']);
  const what = relatives.length > 0 ? table[act].to('it', 'its') : table[act].to(name, `${name}'s`);
  return `Only ${who} may ${what}.`;
}

function relativesAmong(may: readonly Relation[], name: string): string[] {
  if (may.includes('family')) return [`a session in the family of ${name}`];
  if (may.includes('self')) return [`${name} itself`, ...(may.includes('parent') ? ['its parent'] : [])];
  return may.includes('parent') ? [`the parent of ${name}`] : [];
}

function listed(who: readonly string[]): string {
  const [first, second, ...more] = who;
  if (second === undefined) return String(first);
  return more.length === 0 ? `${first}, or ${second},` : `${who.slice(0, -1).join(', ')}, or ${who.at(-1)}`;
}
