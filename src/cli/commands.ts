// The commands by purpose, in the order of the help. Each one's code is loaded only when it is called.
import { cards } from '../providers/cards.ts';
import type { Command } from './command.ts';

export interface Entry {
  readonly summary: string;
  load(): Promise<Command>;
}

export interface Group {
  readonly title: string;
  readonly entries: Readonly<Record<string, Entry>>;
}

const load = (module: Promise<{ default: Command }>) => module.then((loaded) => loaded.default);

/** `sm claude`, `sm codex`, …: one for each kind of agent that is registered. */
const starts = Object.fromEntries(
  cards.map(({ name, title, capabilities }): [string, Entry] => [
    name,
    {
      summary: `start ${title} in a directory${capabilities.pane ? ', and attach' : ''}`,
      load: () => load(import('./commands/start.ts')),
    },
  ]),
);

export const groups: readonly Group[] = [
  {
    title: 'Start and stop agents',
    entries: {
      ...starts,
      spawn: { summary: 'start a session with a prompt', load: () => load(import('./commands/spawn.ts')) },
      kill: { summary: 'end sessions', load: () => load(import('./commands/kill.ts')) },
      restore: {
        summary: 'bring a session back, with its conversation',
        load: () => load(import('./commands/restore.ts')),
      },
    },
  },
  {
    title: 'Talk to agents',
    entries: {
      send: { summary: 'send a text to sessions', load: () => load(import('./commands/send.ts')) },
      dispatch: {
        summary: 'give a session its work, from a template',
        load: () => load(import('./commands/dispatch.ts')),
      },
      review: {
        summary: 'have Codex review a change',
        load: () => load(import('./commands/review.ts')),
      },
      answer: {
        summary: 'allow or deny what a session asks permission for',
        load: () => load(import('./commands/answer.ts')),
      },
      remind: {
        summary: 'be reminded of something; or remind a session no more to report',
        load: () => load(import('./commands/remind.ts')),
      },
      wait: {
        summary: 'wait until a session is idle, or be told of it',
        load: () => load(import('./commands/wait.ts')),
      },
      queue: {
        summary: 'what waits for a session, and why',
        load: () => load(import('./commands/queue.ts')),
      },
      trace: {
        summary: 'the life of a message, with its proofs',
        load: () => load(import('./commands/trace.ts')),
      },
      withdraw: {
        summary: 'take back messages that wait',
        load: () => load(import('./commands/withdraw.ts')),
      },
      clear: {
        summary: 'start a new context in a session',
        load: () => load(import('./commands/clear.ts')),
      },
      slash: {
        summary: "give a session a command of the agent's own",
        load: () => load(import('./commands/slash.ts')),
      },
    },
  },
  {
    title: 'Contexts',
    entries: {
      context: {
        summary: 'how full the context of a session is and was, and until when it will do',
        load: () => load(import('./commands/context.ts')),
      },
      contexts: {
        summary: 'the contexts of a session: how each began and ended',
        load: () => load(import('./commands/contexts.ts')),
      },
      handoff: {
        summary: 'rotate your own context, with a document as its thread',
        load: () => load(import('./commands/handoff.ts')),
      },
      'context-monitor': {
        summary: 'tell agents how full their contexts are',
        load: () => load(import('./commands/context-monitor.ts')),
      },
    },
  },
  {
    title: 'Look',
    entries: {
      status: {
        summary: 'you, the others, who waits for what; or report your progress',
        load: () => load(import('./commands/status.ts')),
      },
      all: { summary: 'list the sessions', load: () => load(import('./commands/all.ts')) },
      me: { summary: 'the session that you are in', load: () => load(import('./commands/me.ts')) },
      who: {
        summary: 'who else works in this directory or repository',
        load: () => load(import('./commands/who.ts')),
      },
      children: {
        summary: 'the sessions that a session has started',
        load: () => load(import('./commands/children.ts')),
      },
      attach: { summary: 'open the terminal of a session', load: () => load(import('./commands/attach.ts')) },
      output: {
        summary: 'print what the terminal of a session shows',
        load: () => load(import('./commands/output.ts')),
      },
      tail: { summary: 'print what happened to a session', load: () => load(import('./commands/tail.ts')) },
    },
  },
  {
    title: 'Tell',
    entries: {
      name: { summary: 'name a session', load: () => load(import('./commands/name.ts')) },
      em: {
        summary: 'for an agent: be a manager of others, and learn what wakes you',
        load: () => load(import('./commands/em.ts')),
      },
      task: { summary: 'say what a session is there for', load: () => load(import('./commands/task.ts')) },
    },
  },
  {
    title: 'Share a workspace',
    entries: {
      lock: {
        summary: 'claim the workspace, or wait for it',
        load: () => load(import('./commands/lock.ts')),
      },
      unlock: { summary: 'release it', load: () => load(import('./commands/unlock.ts')) },
      alone: {
        summary: 'for scripts: whether nobody else works here',
        load: () => load(import('./commands/alone.ts')),
      },
    },
  },
  {
    title: 'The daemon',
    entries: {
      up: {
        summary: 'start it (every other command does so too)',
        load: () => load(import('./commands/up.ts')),
      },
      down: { summary: 'stop it; the agents go on', load: () => load(import('./commands/down.ts')) },
      logs: { summary: 'print its log', load: () => load(import('./commands/logs.ts')) },
      doctor: {
        summary: 'check this machine, and say what to do',
        load: () => load(import('./commands/doctor.ts')),
      },
      backup: {
        summary: 'write all that it knows into one file',
        load: () => load(import('./commands/backup.ts')),
      },
      'restore-backup': {
        summary: 'go back to what such a file has',
        load: () => load(import('./commands/restore-backup.ts')),
      },
      hooks: {
        summary: 'hooks in your own settings, for sessions that sm has not started',
        load: () => load(import('./commands/hooks.ts')),
      },
      demo: {
        summary: 'show a small team at work, with no account',
        load: () => load(import('./commands/demo.ts')),
      },
    },
  },
];

export function entryOf(word: string): Entry | undefined {
  for (const { entries } of groups) if (Object.hasOwn(entries, word)) return entries[word];
  return undefined;
}
