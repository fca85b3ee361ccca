// The commands by purpose, in the order of the help. Each one's code is loaded only when it is called.
import { cards } from '../providers/cards.ts';
import type { Command, Entry, Group } from './command.ts';

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
      team: {
        summary: 'start, end or show a team that a file describes',
        load: () => load(import('./commands/team.ts')),
      },
      profiles: {
        summary: 'list the profiles that sessions can be started with',
        load: () => load(import('./commands/profiles.ts')),
      },
      kill: { summary: 'end sessions', load: () => load(import('./commands/kill.ts')) },
      restore: {
        summary: 'restore ended sessions, with their conversations',
        load: () => load(import('./commands/restore.ts')),
      },
    },
  },
  {
    title: 'Talk to agents',
    entries: {
      send: { summary: 'send a text to sessions', load: () => load(import('./commands/send.ts')) },
      dispatch: {
        summary: 'give a session its work from a template',
        load: () => load(import('./commands/dispatch.ts')),
      },
      review: {
        summary: 'let an agent review a change',
        load: () => load(import('./commands/review.ts')),
      },
      answer: {
        summary: 'allow or deny what a session asks permission for',
        load: () => load(import('./commands/answer.ts')),
      },
      policy: {
        summary: 'rules that allow or deny what sessions ask permission for',
        load: () => load(import('./commands/policy.ts')),
      },
      remind: {
        summary: 'set a reminder, or stop asking a session for its status',
        load: () => load(import('./commands/remind.ts')),
      },
      wait: {
        summary: 'wait until a session is idle, or get a notice',
        load: () => load(import('./commands/wait.ts')),
      },
      queue: {
        summary: 'list the messages that wait for a session, and why',
        load: () => load(import('./commands/queue.ts')),
      },
      trace: {
        summary: 'show the life of a message, with evidence',
        load: () => load(import('./commands/trace.ts')),
      },
      withdraw: {
        summary: 'withdraw messages that still wait',
        load: () => load(import('./commands/withdraw.ts')),
      },
      interrupt: {
        summary: 'interrupt the turn of a session',
        load: () => load(import('./commands/interrupt.ts')),
      },
      clear: {
        summary: 'start a new context in a session',
        load: () => load(import('./commands/clear.ts')),
      },
      slash: {
        summary: "run one of the agent's own commands in a session",
        load: () => load(import('./commands/slash.ts')),
      },
    },
  },
  {
    title: 'Contexts',
    entries: {
      context: {
        summary: 'how full the context of a session is, and when it will be full',
        load: () => load(import('./commands/context.ts')),
      },
      contexts: {
        summary: 'list the contexts of a session: how each began and ended',
        load: () => load(import('./commands/contexts.ts')),
      },
      handoff: {
        summary: 'continue your own work in a fresh context, from a document',
        load: () => load(import('./commands/handoff.ts')),
      },
      'context-monitor': {
        summary: 'tell agents how full their contexts are',
        load: () => load(import('./commands/context-monitor.ts')),
      },
    },
  },
  {
    title: 'Look at sessions',
    entries: {
      status: {
        summary: 'show the whole team; or report your own progress',
        load: () => load(import('./commands/status.ts')),
      },
      watch: {
        summary: 'one live screen of all sessions (sm alone does the same)',
        load: () => load(import('./commands/watch.ts')),
      },
      all: { summary: 'list the sessions', load: () => load(import('./commands/all.ts')) },
      me: { summary: 'show the session you are in', load: () => load(import('./commands/me.ts')) },
      who: {
        summary: 'list who else works in this directory or repository',
        load: () => load(import('./commands/who.ts')),
      },
      children: {
        summary: 'list the sessions that a session has started',
        load: () => load(import('./commands/children.ts')),
      },
      attach: { summary: 'open the terminal of a session', load: () => load(import('./commands/attach.ts')) },
      output: {
        summary: 'print what the terminal of a session shows',
        load: () => load(import('./commands/output.ts')),
      },
      why: {
        summary: 'say why a session is in its phase, with the evidence',
        load: () => load(import('./commands/why.ts')),
      },
      search: {
        summary: 'find words in messages, answers, documents and transcripts',
        load: () => load(import('./commands/search.ts')),
      },
      cost: {
        summary: 'show the tokens that sessions have used, and what they cost',
        load: () => load(import('./commands/cost.ts')),
      },
      digest: {
        summary: 'tell what happened while you were away, and what waits now',
        load: () => load(import('./commands/digest.ts')),
      },
      limits: {
        summary: 'show how much of their usage limits your accounts have used',
        load: () => load(import('./commands/limits.ts')),
      },
      tail: { summary: 'print the events of a session', load: () => load(import('./commands/tail.ts')) },
    },
  },
  {
    title: 'Names, tasks and tags',
    entries: {
      name: { summary: 'name a session', load: () => load(import('./commands/name.ts')) },
      em: {
        summary: 'for an agent: become a manager, and learn what wakes you',
        load: () => load(import('./commands/em.ts')),
      },
      task: { summary: 'set the task of a session', load: () => load(import('./commands/task.ts')) },
      tag: {
        summary: 'put tags on sessions, to name several at once',
        load: () => load(import('./commands/tag.ts')),
      },
    },
  },
  {
    title: 'Share a workspace',
    entries: {
      lock: {
        summary: 'claim the workspace, or wait for it',
        load: () => load(import('./commands/lock.ts')),
      },
      unlock: { summary: 'release the workspace', load: () => load(import('./commands/unlock.ts')) },
      alone: {
        summary: 'for scripts: check that nobody else works here',
        load: () => load(import('./commands/alone.ts')),
      },
    },
  },
  {
    title: 'Worktrees',
    entries: {
      finish: {
        summary: 'bring the work of a session into its base branch',
        load: () => load(import('./commands/finish.ts')),
      },
      worktrees: {
        summary: 'list the worktrees of sessions',
        load: () => load(import('./commands/worktrees.ts')),
      },
    },
  },
  {
    title: 'The daemon',
    entries: {
      up: {
        summary: 'start it (every other command does too)',
        load: () => load(import('./commands/up.ts')),
      },
      down: { summary: 'stop it; the agents keep running', load: () => load(import('./commands/down.ts')) },
      logs: { summary: 'print its log', load: () => load(import('./commands/logs.ts')) },
      doctor: {
        summary: 'check this machine and say what to do',
        load: () => load(import('./commands/doctor.ts')),
      },
      backup: {
        summary: 'write all its data into one file',
        load: () => load(import('./commands/backup.ts')),
      },
      'restore-backup': {
        summary: 'replace its data with a backup',
        load: () => load(import('./commands/restore-backup.ts')),
      },
      hooks: {
        summary: 'install hooks in your own settings, for sessions that sm did not start',
        load: () => load(import('./commands/hooks.ts')),
      },
      demo: {
        summary: 'show a small team at work; needs no account',
        load: () => load(import('./commands/demo.ts')),
      },
    },
  },
  {
    title: 'This machine',
    entries: {
      setup: {
        summary: 'prepare this machine: configuration, completion, service, skill',
        load: () => load(import('./commands/setup.ts')),
      },
      uninstall: {
        summary: 'take back what setup did; your data stays',
        load: () => load(import('./commands/uninstall.ts')),
      },
      completion: {
        summary: 'print the completion script of a shell',
        load: () => load(import('./commands/completion.ts')),
      },
      skill: {
        summary: 'print a text that teaches agents these commands',
        load: () => load(import('./commands/skill.ts')),
      },
    },
  },
];

export function entryOf(word: string): Entry | undefined {
  for (const { entries } of groups) if (Object.hasOwn(entries, word)) return entries[word];
  return undefined;
}
