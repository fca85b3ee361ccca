// What can be done with a session from a face, one table for all of them. Each act is a command of `sm`: a face runs
// that command, and nothing else. A test holds this table against the table of commands.
import type { SessionView } from '../protocol/session.ts';

export interface Act {
  /** The command that does it. */
  readonly command: string;
  readonly key: string;
  readonly words: string;
  /** Whether it can be done now. */
  can(session: SessionView): boolean;
}

const lives = ({ phase }: SessionView): boolean => phase !== 'exited' && phase !== 'lost';
const always = (): boolean => true;

/** In the order of the help. */
export const acts: readonly Act[] = [
  {
    command: 'attach',
    key: 'enter',
    words: 'open its terminal, or its conversation; come back with the keys shown there',
    can: lives,
  },
  { command: 'send', key: 's', words: 'send it a message', can: lives },
  {
    command: 'answer',
    key: 'a',
    words: 'answer its question',
    can: ({ question }) => question !== null,
  },
  {
    command: 'interrupt',
    key: 'i',
    words: 'interrupt its turn',
    can: ({ phase }) => phase === 'working' || phase === 'blocked',
  },
  { command: 'clear', key: 'c', words: 'clear its context', can: lives },
  { command: 'name', key: 'r', words: 'rename it', can: lives },
  { command: 'task', key: 'T', words: 'set its task', can: lives },
  { command: 'restore', key: 'R', words: 'restore it', can: (session) => !lives(session) },
  { command: 'kill', key: 'd', words: 'end it', can: lives },
  { command: 'trace', key: 't', words: 'its messages; trace one', can: always },
  { command: 'why', key: 'e', words: 'why it is in this phase', can: always },
  { command: 'output', key: 'o', words: 'its terminal, further back', can: always },
  { command: 'tail', key: 'v', words: 'its events', can: always },
  { command: 'queue', key: 'w', words: 'what waits for it, and why', can: lives },
  { command: 'contexts', key: 'x', words: 'its contexts', can: always },
  { command: 'diff', key: 'D', words: 'what it has changed', can: always },
];

/** Acts that need no session. */
export const general = [{ command: 'spawn', key: 'n', words: 'start a new session' }] as const;

/** Commands that a face runs only when they are typed as a command line, and why they have no key of their own. */
export const typed: Readonly<Record<string, string>> = {
  dispatch: 'takes the fields of a template',
  review: 'takes what to review',
  remind: 'takes a time and a text',
  wait: 'the face shows it',
  withdraw: 'takes a message',
  search: 'takes words',
  digest: 'takes a time',
  limits: 'of accounts, not of a session',
  fleet: 'sets machines up',
  nodes: 'of machines, not of a session',
  on: 'programs of the configuration',
  budget: 'takes an amount',
  mcp: 'for agents',
  notify: 'channels of the configuration',
  cost: 'takes a time and what to sum up by',
  slash: "takes a command of the agent's own",
  setup: 'takes the terminal',
  skill: 'for agents',
  uninstall: 'takes the terminal',
  policy: 'rules, listed and tried',
  profiles: 'a list of the configuration',
  adopt: 'takes a conversation',
  fork: 'takes a name, and starts a session',
  takeover: 'takes the terminal',
  finish: 'shows what would happen, and asks',
  team: 'takes a file',
  worktrees: 'takes a worktree',
  completion: 'for a shell',
  context: 'the list shows it',
  handoff: 'for agents',
  'context-monitor': 'takes settings',
  status: 'the face is the status; agents report with it',
  all: 'the face is the list',
  me: 'for agents',
  who: 'for agents',
  children: 'the list shows them',
  em: 'for agents',
  lock: 'for agents',
  unlock: 'takes a workspace',
  alone: 'for scripts',
  tag: 'takes tags',
  up: 'the face runs only with the daemon',
  down: 'stops what the face shows',
  logs: 'the log of the daemon',
  doctor: 'a report on the machine',
  backup: 'takes a file',
  'restore-backup': 'takes a file',
  hooks: 'changes settings of the person',
  demo: 'takes the terminal',
  watch: 'this is it',
  open: 'opens the page, another face',
  pair: 'takes the terminal',
  share: 'takes a time',
  devices: 'lists browsers, not sessions',
};
