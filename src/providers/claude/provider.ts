// Claude Code in a pane.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { Card, LaunchPlan, LaunchRequest, Provide, Provider, Setup } from '../../ports/provider.ts';
import { hookAnswer, startContext } from '../common-hooks.ts';
import { locateProgram } from '../locate.ts';
import { claudeCalls } from './calls.ts';
import { card } from './card.ts';
import { configDir } from './config-dir.ts';
import { claudeHistory } from './history.ts';
import { claudeHookFacts, claudeStatusFacts } from './hooks.ts';
import { sessionHooksVariable } from './installed.ts';
import { openConversation } from './open-conversation.ts';
import { claudeOptions, conversationOptions } from './options.ts';
import { readClaudeScreen } from './screen.ts';
import { claudeSettings, userStatusLine } from './settings.ts';
import { hasConversation, readClaudeTranscript } from './transcript.ts';
import { claudeVisible } from './visible.ts';

export const provide: Provide = (setup) => claudeProvider(card, setup);

/** For whatever has Claude Code's semantics. */
export function claudeProvider(card: Card, setup: Setup, folder = configDir): Provider {
  return {
    ...card,
    locate: (path) => locateProgram(card, setup, path, setup.args),
    plan: async (session, request) => plan(setup, session, request),
    canResume: (session) => hasConversation(session.context.transcript?.path ?? null),
    hookFacts: claudeHookFacts,
    hookAnswer,
    startContext,
    calls: claudeCalls,
    statusFacts: claudeStatusFacts,
    transcript: readClaudeTranscript,
    conversations: openConversation,
    history: claudeHistory((env) => folder({ ...env, ...setup.env })),
    reach: { by: 'pane', read: readClaudeScreen },
    visible: (session, env) => claudeVisible(settingsOf(setup, session), session, folder(env), env),
  };
}

const settingsOf = ({ sessionDir }: Setup, session: Session): string =>
  join(sessionDir(session), 'settings.json');

async function plan(setup: Setup, session: Session, request: LaunchRequest): Promise<LaunchPlan> {
  const env = { ...request.env, ...setup.env, ...request.own };
  const folder = setup.sessionDir(session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const settings = claudeSettings(
    { directory: setup.hooksDir, answerWaitSeconds: setup.answerWaitSeconds },
    await userStatusLine(configDir(env), session.workingDir),
  );
  const settingsFile = settingsOf(setup, session);
  await writeFile(settingsFile, JSON.stringify(settings, null, 2), { mode: 0o600 });

  const command = [
    setup.command,
    ...claudeOptions(session, setup),
    ...conversationOptions(request),
    ...['--settings', settingsFile],
  ];
  const argv = request.confine?.(command) ?? command;
  return { argv, env: { ...env, [sessionHooksVariable]: '1' } };
}
