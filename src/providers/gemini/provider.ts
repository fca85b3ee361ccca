// Gemini CLI in a pane.
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { LaunchPlan, LaunchRequest, Provide, Setup } from '../../ports/provider.ts';
import { startContext } from '../common-hooks.ts';
import { locateProgram } from '../locate.ts';
import { card } from './card.ts';
import { geminiHookFacts, geminiHooks } from './hooks.ts';
import { makeOwnHome, userHome } from './own-home.ts';
import { readGeminiScreen } from './screen.ts';
import { hasPrompt, readGeminiTranscript } from './transcript.ts';

export const provide: Provide = (setup) => ({
  ...card,
  locate: (path) => locateProgram(card, setup, path, setup.args),
  plan: (session, request) => plan(setup, session, request),
  canResume: (session) => hasPrompt(session.context.transcript?.path ?? null),
  hookFacts: geminiHookFacts,
  hookAnswer: () => '',
  startContext,
  statusFacts: () => [],
  transcript: readGeminiTranscript,
  reach: { by: 'pane', read: readGeminiScreen },
});

async function plan(setup: Setup, session: Session, request: LaunchRequest): Promise<LaunchPlan> {
  const env = { ...request.env, ...setup.env, ...request.own };
  const { model, options } = session;
  const own = join(setup.sessionDir(session), 'gemini');
  await makeOwnHome(own, userHome(env), geminiHooks(setup.hooksDir));
  const chosen = model ?? setup.defaultModel;
  if (request.providerId === null) throw new Error('Gemini CLI needs the id of its conversation');
  const argv = [
    setup.command,
    ...setup.args,
    ...(chosen ? ['--model', chosen] : []),
    ...(options.permissionMode ? ['--approval-mode', options.permissionMode] : []),
    ...options.addDirs.flatMap((dir) => ['--include-directories', dir]),
    ...options.args,
    ...[request.resume ? '--resume' : '--session-id', request.providerId],
  ];
  return { argv, env: { ...env, GEMINI_CLI_HOME: own } };
}
