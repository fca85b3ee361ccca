// The commands by purpose, in the order of the help. Each one's code is loaded only when it is called.
import { cards } from '../providers/cards.ts';
import type { Command, Entry, Group } from './command.ts';

const entry = (summary: string, load: () => Promise<{ default: Command }>): Entry => ({
  summary,
  load: () => load().then((module) => module.default),
});

/** `sm claude`, `sm codex`, …: one for each kind of agent that is registered. */
const starts = Object.fromEntries(
  cards.map(({ name, title, capabilities }): [string, Entry] => [
    name,
    entry(
      `start ${title} in a directory${capabilities.pane ? ', and attach' : ''}`,
      () => import('./commands/start.ts'),
    ),
  ]),
);

export const groups: readonly Group[] = [
  {
    title: 'Start and stop agents',
    entries: {
      ...starts,
      spawn: entry('start a session with a prompt', () => import('./commands/spawn.ts')),
      team: entry('start, end or show a team that a file describes', () => import('./commands/team.ts')),
      profiles: entry(
        'list the profiles that sessions can be started with',
        () => import('./commands/profiles.ts'),
      ),
      kill: entry('end sessions', () => import('./commands/kill.ts')),
      restore: entry(
        'restore ended sessions, with their conversations',
        () => import('./commands/restore.ts'),
      ),
      fork: entry(
        'continue a conversation twice: start a copy of a session',
        () => import('./commands/fork.ts'),
      ),
      adopt: entry('go on with a conversation that sm did not start', () => import('./commands/adopt.ts')),
    },
  },
  {
    title: 'Talk to agents',
    entries: {
      send: entry('send a text to sessions', () => import('./commands/send.ts')),
      dispatch: entry('give a session its work from a template', () => import('./commands/dispatch.ts')),
      review: entry('let an agent review a change', () => import('./commands/review.ts')),
      answer: entry('allow or deny what a session asks permission for', () => import('./commands/answer.ts')),
      policy: entry(
        'rules that allow or deny what sessions ask permission for',
        () => import('./commands/policy.ts'),
      ),
      remind: entry(
        'set a reminder, or stop asking a session for its status',
        () => import('./commands/remind.ts'),
      ),
      wait: entry('wait until a session is idle, or get a notice', () => import('./commands/wait.ts')),
      queue: entry('list the messages that wait for a session, and why', () => import('./commands/queue.ts')),
      trace: entry('show the life of a message, with evidence', () => import('./commands/trace.ts')),
      withdraw: entry('withdraw messages that still wait', () => import('./commands/withdraw.ts')),
      interrupt: entry('interrupt the turn of a session', () => import('./commands/interrupt.ts')),
      clear: entry('start a new context in a session', () => import('./commands/clear.ts')),
      slash: entry("run one of the agent's own commands in a session", () => import('./commands/slash.ts')),
    },
  },
  {
    title: 'Contexts',
    entries: {
      context: entry(
        'how full the context of a session is, and when it will be full',
        () => import('./commands/context.ts'),
      ),
      contexts: entry(
        'list the contexts of a session: how each began and ended',
        () => import('./commands/contexts.ts'),
      ),
      handoff: entry(
        'continue your own work in a fresh context, from a document',
        () => import('./commands/handoff.ts'),
      ),
      'context-monitor': entry(
        'tell agents how full their contexts are',
        () => import('./commands/context-monitor.ts'),
      ),
    },
  },
  {
    title: 'Look at sessions',
    entries: {
      status: entry('show the whole team; or report your own progress', () => import('./commands/status.ts')),
      watch: entry(
        'one live screen of all sessions (sm alone does the same)',
        () => import('./commands/watch.ts'),
      ),
      open: entry('open the page in your browser, signed in', () => import('./commands/open.ts')),
      pair: entry('sign a phone or another machine in to the page', () => import('./commands/pair.ts')),
      share: entry('let somebody else look at a session, by a link', () => import('./commands/share.ts')),
      devices: entry(
        'list the browsers that are signed in, or sign one out',
        () => import('./commands/devices.ts'),
      ),
      fleet: entry('join machines into a fleet', () => import('./commands/fleet.ts')),
      nodes: entry('list the machines of the fleet', () => import('./commands/nodes.ts')),
      all: entry('list the sessions', () => import('./commands/all.ts')),
      me: entry('show the session you are in', () => import('./commands/me.ts')),
      who: entry('list who else works in this directory or repository', () => import('./commands/who.ts')),
      children: entry('list the sessions that a session has started', () => import('./commands/children.ts')),
      attach: entry('open the terminal of a session', () => import('./commands/attach.ts')),
      takeover: entry(
        'move a session without a terminal into one, and back',
        () => import('./commands/takeover.ts'),
      ),
      output: entry('print what the terminal of a session shows', () => import('./commands/output.ts')),
      why: entry('say why a session is in its phase, with the evidence', () => import('./commands/why.ts')),
      diff: entry('show what a session has changed, with comments on it', () => import('./commands/diff.ts')),
      search: entry(
        'find words in messages, answers, documents and transcripts',
        () => import('./commands/search.ts'),
      ),
      cost: entry(
        'show the tokens that sessions have used, and what they cost',
        () => import('./commands/cost.ts'),
      ),
      budget: entry(
        'show what sessions may use up, or set it: money, tokens, per family',
        () => import('./commands/budget.ts'),
      ),
      digest: entry(
        'tell what happened while you were away, and what waits now',
        () => import('./commands/digest.ts'),
      ),
      limits: entry(
        'show how much of their usage limits your accounts have used',
        () => import('./commands/limits.ts'),
      ),
      tail: entry('print the events of a session', () => import('./commands/tail.ts')),
    },
  },
  {
    title: 'Names, tasks and tags',
    entries: {
      name: entry('name a session', () => import('./commands/name.ts')),
      em: entry('for an agent: become a manager, and learn what wakes you', () => import('./commands/em.ts')),
      task: entry('set the task of a session', () => import('./commands/task.ts')),
      tag: entry('put tags on sessions, to name several at once', () => import('./commands/tag.ts')),
    },
  },
  {
    title: 'Share a workspace',
    entries: {
      lock: entry('claim the workspace, or wait for it', () => import('./commands/lock.ts')),
      unlock: entry('release the workspace', () => import('./commands/unlock.ts')),
      alone: entry('for scripts: check that nobody else works here', () => import('./commands/alone.ts')),
    },
  },
  {
    title: 'Worktrees',
    entries: {
      finish: entry('bring the work of a session into its base branch', () => import('./commands/finish.ts')),
      worktrees: entry('list the worktrees of sessions', () => import('./commands/worktrees.ts')),
    },
  },
  {
    title: 'The daemon',
    entries: {
      up: entry('start it (every other command does too)', () => import('./commands/up.ts')),
      down: entry('stop it; the agents keep running', () => import('./commands/down.ts')),
      logs: entry('print its log', () => import('./commands/logs.ts')),
      on: entry('list or try the programs that run when something happens', () => import('./commands/on.ts')),
      notify: entry(
        'list or try the channels that tell you what happens',
        () => import('./commands/notify.ts'),
      ),
      doctor: entry('check this machine and say what to do', () => import('./commands/doctor.ts')),
      backup: entry('write all its data into one file', () => import('./commands/backup.ts')),
      'restore-backup': entry('replace its data with a backup', () => import('./commands/restore-backup.ts')),
      mcp: entry(
        'give an agent without a shell the commands, as MCP tools',
        () => import('./commands/mcp.ts'),
      ),
      hooks: entry(
        'install hooks in your own settings, for sessions that sm did not start',
        () => import('./commands/hooks.ts'),
      ),
      demo: entry('show a small team at work; needs no account', () => import('./commands/demo.ts')),
    },
  },
  {
    title: 'This machine',
    entries: {
      setup: entry(
        'prepare this machine: configuration, completion, service, skill',
        () => import('./commands/setup.ts'),
      ),
      uninstall: entry('take back what setup did; your data stays', () => import('./commands/uninstall.ts')),
      completion: entry('print the completion script of a shell', () => import('./commands/completion.ts')),
      skill: entry('print a text that teaches agents these commands', () => import('./commands/skill.ts')),
    },
  },
];

export function entryOf(word: string): Entry | undefined {
  for (const { entries } of groups) if (Object.hasOwn(entries, word)) return entries[word];
  return undefined;
}
