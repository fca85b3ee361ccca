// Codex in a pane.
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { LaunchPlan, LaunchRequest, Provide, Setup } from '../../ports/provider.ts';
import { hookAnswer, startContext } from '../common-hooks.ts';
import { locateProgram } from '../locate.ts';
import { codexArguments, ownShell } from './arguments.ts';
import { codexCalls } from './calls.ts';
import { card } from './card.ts';
import { firstStartAlone } from './first-start.ts';
import { codexHistory } from './history.ts';
import { codexHome } from './home.ts';
import { codexHookFacts } from './hooks.ts';
import { terminalOptions } from './options.ts';
import { hasPrompt, readCodexRollout } from './rollout.ts';
import { readCodexScreen } from './screen.ts';
import { openThreads } from './threads.ts';

export const provide: Provide = (setup) => ({
  ...card,
  locate: (path) => locateProgram(card, setup, path, setup.args),
  plan: (session, request) => plan(setup, session, request),
  canResume: (session) => hasPrompt(session.context.transcript?.path ?? null),
  hookFacts: codexHookFacts,
  hookAnswer,
  calls: codexCalls,
  startContext,
  statusFacts: () => [],
  transcript: readCodexRollout,
  conversations: openThreads,
  history: codexHistory(setup.env),
  reach: {
    by: 'pane',
    read: readCodexScreen,
    // A word that ends in the last column of a popup's interest ($word, @word) would give Enter to the popup.
    typed: (text) => `${text} `,
  },
});

async function plan(setup: Setup, session: Session, request: LaunchRequest): Promise<LaunchPlan> {
  const env = { ...request.env, ...setup.env, ...request.own };
  const home = codexHome(env);
  await firstStartAlone(home);
  const argv = [
    setup.command,
    ...ownShell,
    ...terminalOptions(session, setup),
    ...codexArguments(setup.hooksDir),
    ...(request.fork === undefined ? [] : ['fork', request.fork]),
    ...(request.resume && request.providerId ? ['resume', request.providerId] : []),
  ];
  return { argv, env, conversationsIn: join(home, 'thread-writer-locks') };
}
