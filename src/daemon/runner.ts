// Runs effects: the one place where decisions touch panes and processes.
import type { EffectResult } from '../domain/core/effect.ts';
import type { Session } from '../domain/core/session.ts';
import { isReady, type Worktree } from '../domain/core/worktree.ts';
import type { Documents } from '../ports/documents.ts';
import type { Driver, LaunchEffect } from '../ports/driver.ts';
import { type EffectRunner, StillOwed } from '../ports/effects.ts';
import type { OwnVariableFiles } from '../ports/own-variables.ts';
import type { Provider } from '../ports/provider.ts';
import type { Sandboxes } from '../ports/sandbox.ts';
import { paneName, type Terminal } from '../ports/terminal.ts';
import type { Making, Worktrees } from '../ports/worktrees.ts';
import type { Versions } from '../providers/versions.ts';
import { accountOf } from './account.ts';
import { lastScreen } from './last-screen.ts';
import { stopping } from './making.ts';

interface RunnerDeps {
  readonly terminal: Terminal;
  /** Which boot of the machine this is. */
  readonly boot: string | null;
  readonly documents: Documents;
  readonly provider: (name: string) => Provider | undefined;
  readonly driver: (session: Session) => Driver;
  readonly versions: Versions;
  readonly worktrees: Worktrees;
  readonly making: (id: string, env: Readonly<Record<string, string>>) => Making;
  /** It will open a conversation, and something in this folder changes then. */
  readonly awaitConversation: (id: string, folder: string) => void;
  /** What every agent's environment gets from us. */
  readonly ownVariables: OwnVariableFiles;
  readonly sandboxes: Sandboxes;
  readonly agentEnv: (session: Session, env: Readonly<Record<string, string>>) => Record<string, string>;
}

export function createRunner(deps: RunnerDeps): EffectRunner {
  const { terminal, documents, provider, driver, versions, ownVariables, worktrees, making } = deps;
  const { awaitConversation, agentEnv } = deps;
  async function launch(session: Session, effect: LaunchEffect): Promise<EffectResult> {
    const result = await start(session, effect);
    if (result.of !== 'launch' || result.outcome === 'launched') return result;
    return (await stands(paneName(session.id), effect.replaces)) ? { ...result, stays: true } : result;
  }

  /** Whether what is to be replaced is still there, and not what has taken its place already. */
  async function stands(name: string, old: LaunchEffect['replaces']): Promise<boolean> {
    if (!old) return false;
    const pane = (await terminal.panes())?.find((each) => each.name === name);
    return pane?.pid === old.pid && pane.startedAt === old.startedAt;
  }

  async function start(session: Session, effect: LaunchEffect): Promise<EffectResult> {
    const kind = provider(session.provider);
    if (!kind) return { of: 'launch', outcome: 'failed', why: `unknown provider "${session.provider}"` };
    try {
      const own = await ownValues(session);
      if (own === null)
        return { of: 'launch', outcome: 'failed', why: 'the values of its variables are gone' };
      const env = agentEnv(session, { ...effect.env, ...own });
      const located = await kind.locate(env.PATH ?? '');
      if ('missing' in located) return { of: 'launch', outcome: 'failed', why: located.missing };
      if (session.worktree && !isReady(session.worktree)) {
        const { signal, ...rest } = making(session.id, env);
        const failed = await worktrees.make(session.worktree, session.id, { signal, ...rest });
        if (failed && signal.reason === stopping) throw new StillOwed();
        if (failed) return { of: 'launch', outcome: 'failed', why: failed.fault };
      }
      const { sandbox } = session.options;
      const unsafe = sandbox && (await deps.sandboxes.fault());
      if (unsafe) return { of: 'launch', outcome: 'failed', why: unsafe };
      const entrance = sandbox && deps.sandboxes.enter(session, sandbox, kind);
      const plan = await kind.plan(session, {
        providerId: effect.providerId,
        resume: effect.resume,
        fork: effect.fork,
        env,
        own: valuesIn(env, own),
        confine: entrance?.confine,
      });
      if (plan.conversationsIn) awaitConversation(session.id, plan.conversationsIn);
      const outside = entrance ? await entrance.seal(plan, located.found) : plan;
      const asked = entrance ? entrance.versionEnv(located.found) : plan.env;
      const version = asked && versions.of(located.versionCommand, asked);
      const name = paneName(session.id);
      // The last moment: until here, everything can stay as it is.
      if (await stands(name, effect.replaces)) await terminal.kill(name);
      // Inside, it goes to its directory by itself.
      const cwd = entrance ? '/' : session.workingDir;
      const pane = await terminal.launch({ name, argv: plan.argv, env: outside.env, cwd });
      const why = await driver(session).begin(session, effect);
      if (why !== null) {
        await terminal.kill(name);
        return { of: 'launch', outcome: 'failed', why };
      }
      const { pid, startedAt } = pane;
      const tmux = await terminal.server();
      return {
        ...{
          of: 'launch',
          outcome: 'launched',
          pid,
          startedAt,
          agentVersion: await version,
          ...accountOf(kind, plan.env),
        },
        ...(tmux !== null && { under: { boot: deps.boot, tmux } }),
      };
    } catch (error) {
      if (error instanceof StillOwed) throw error;
      return { of: 'launch', outcome: 'failed', why: (error as Error).message };
    }
  }

  async function ownValues({ id, options }: Session) {
    return options.variables ? ownVariables.values(id, options.variables) : {};
  }

  return {
    mayRepeat: ({ effect }, session) => effect.do === 'answer' && driver(session).answersAgain,
    async run({ effect }, session) {
      const name = paneName(session.id);
      switch (effect.do) {
        case 'launch':
          return launch(session, effect);
        case 'kill': {
          // Nobody's last words are worth an agent that lives on.
          const screen = await lastScreen(terminal, name).catch(() => '');
          await terminal.kill(name);
          return { of: 'kill', screen };
        }
        case 'bury':
          await terminal.kill(name);
          return { of: 'bury' };
        case 'look':
          return { of: 'look', look: await driver(session).look(session) };
        case 'post':
        case 'pass-on':
          throw new Error('messages to other sessions are posted by the engine');
        case 'answer':
          return { of: 'answer', outcome: await driver(session).answer(session, effect) };
        case 'submit':
          return { of: 'submit', outcome: await driver(session).submit(session, effect) };
        case 'escape':
          return { of: 'escape', outcome: await driver(session).escape(session, effect) };
        case 'check-document': {
          const { path, newerThan } = effect;
          const within = session.options.sandbox?.roots;
          const kept = await documents.keep(session.id, session.context.number, { path, newerThan, within });
          return 'fault' in kept
            ? { of: 'check-document', outcome: 'bad', why: kept.fault }
            : { of: 'check-document', outcome: 'kept', copy: kept.copy };
        }
        case 'publish-document': {
          const how = provider(session.provider)?.startContext;
          if (how) await documents.publish(session.id, effect, how);
          return { of: 'publish-document' };
        }
        case 'remove-worktree': {
          const done = await worktrees.remove(worktreeOf(session), session.id, effect.giveUp);
          return 'removed' in done
            ? { of: effect.do, outcome: 'removed', ref: done.removed }
            : { of: effect.do, outcome: 'kept', why: done.kept };
        }
        case 'restore-worktree': {
          const done = await worktrees.restore(worktreeOf(session), session.id, effect.ref);
          return 'fault' in done
            ? { of: effect.do, outcome: 'failed', why: done.fault }
            : { of: effect.do, outcome: 'restored', ...done };
        }
        case 'finish-worktree': {
          const { order } = effect;
          const done = await worktrees.finish(worktreeOf(session), session.id, order);
          return 'why' in done
            ? { of: effect.do, outcome: 'stopped', why: done.why }
            : { of: effect.do, outcome: 'finished', order, ...done };
        }
        case 'press': {
          const { press, key } = effect;
          return { of: 'press', press, key, outcome: await driver(session).press(session, key) };
        }
        case 'leave-copy-mode':
          await driver(session).leaveCopyMode(session);
          return { of: 'leave-copy-mode' };
      }
    },
  };
}

/** With what every agent has: a PATH of its own leads to `sm` as well. */
const valuesIn = (env: Readonly<Record<string, string>>, own: object): Record<string, string> =>
  Object.fromEntries(
    Object.keys(own).flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );

function worktreeOf({ worktree, id }: Session): Worktree {
  if (!worktree) throw new Error(`session ${id} has no worktree`);
  return worktree;
}
