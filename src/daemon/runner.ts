// Runs effects: the one place where decisions touch panes and processes.
import type { EffectResult } from '../domain/core/effect.ts';
import type { Session } from '../domain/core/session.ts';
import type { Documents } from '../ports/documents.ts';
import type { Driver, LaunchEffect } from '../ports/driver.ts';
import type { EffectRunner } from '../ports/effects.ts';
import type { Provider } from '../ports/provider.ts';
import { paneName, type Terminal } from '../ports/terminal.ts';
import type { Making, Worktrees } from '../ports/worktrees.ts';
import type { Versions } from '../providers/versions.ts';
import { lastScreen } from './last-screen.ts';

interface RunnerDeps {
  readonly terminal: Terminal;
  readonly documents: Documents;
  readonly provider: (name: string) => Provider | undefined;
  readonly driver: (session: Session) => Driver;
  readonly versions: Versions;
  readonly worktrees: Worktrees;
  readonly making: (session: Session) => Making;
  /** It will open a conversation, and something in this folder changes then. */
  readonly awaitConversation: (id: string, folder: string) => void;
  /** What every agent's environment gets from us. */
  readonly agentEnv: (session: Session, env: Readonly<Record<string, string>>) => Record<string, string>;
}

export function createRunner(deps: RunnerDeps): EffectRunner {
  const { terminal, documents, provider, driver, versions, worktrees, making, awaitConversation, agentEnv } =
    deps;
  async function launch(session: Session, effect: LaunchEffect): Promise<EffectResult> {
    const kind = provider(session.provider);
    if (!kind) return { of: 'launch', outcome: 'failed', why: `unknown provider "${session.provider}"` };
    try {
      const env = agentEnv(session, effect.env);
      const located = await kind.locate(env.PATH ?? '');
      if ('missing' in located) return { of: 'launch', outcome: 'failed', why: located.missing };
      if (session.worktree?.state.is === 'making') {
        const failed = await worktrees.make(session.worktree, session.id, making(session));
        if (failed) return { of: 'launch', outcome: 'failed', why: failed.fault };
      }
      const plan = await kind.plan(session, { providerId: effect.providerId, resume: effect.resume, env });
      if (plan.conversationsIn) awaitConversation(session.id, plan.conversationsIn);
      const version = versions.of(located.versionCommand, plan.env);
      const name = paneName(session.id);
      const pane = await terminal.launch({ name, argv: plan.argv, env: plan.env, cwd: session.workingDir });
      const why = await driver(session).begin(session, effect);
      if (why !== null) {
        await terminal.kill(name);
        return { of: 'launch', outcome: 'failed', why };
      }
      const { pid, startedAt } = pane;
      return { of: 'launch', outcome: 'launched', pid, startedAt, agentVersion: await version };
    } catch (error) {
      return { of: 'launch', outcome: 'failed', why: (error as Error).message };
    }
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
          throw new Error('messages to other sessions are posted by the engine');
        case 'answer':
          return { of: 'answer', outcome: await driver(session).answer(session, effect) };
        case 'submit':
          return { of: 'submit', outcome: await driver(session).submit(session, effect) };
        case 'escape':
          return { of: 'escape', outcome: await driver(session).escape(session, effect) };
        case 'check-document': {
          const kept = await documents.keep(session.id, session.context.number, effect);
          return 'fault' in kept
            ? { of: 'check-document', outcome: 'bad', why: kept.fault }
            : { of: 'check-document', outcome: 'kept', copy: kept.copy };
        }
        case 'publish-document': {
          const how = provider(session.provider)?.startContext;
          if (how) await documents.publish(session.id, effect, how);
          return { of: 'publish-document' };
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
