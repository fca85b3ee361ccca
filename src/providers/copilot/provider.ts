// GitHub Copilot CLI in a pane.
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { LaunchPlan, LaunchRequest, Provide, Setup } from '../../ports/provider.ts';
import { claudeCalls } from '../claude/calls.ts';
import { locateProgram } from '../locate.ts';
import { card } from './card.ts';
import { openConversations } from './conversations.ts';
import { hasPrompt, readCopilotEvents } from './events.ts';
import { copilotHistory } from './history.ts';
import { conversationsFolder } from './home.ts';
import { copilotHookFacts } from './hooks.ts';
import { copilotOptions } from './options.ts';
import { readCopilotScreen } from './screen.ts';

export const provide: Provide = (setup) => ({
  ...card,
  locate: (path) => locateProgram(card, setup, path, setup.args),
  plan: (session, request) => plan(setup, session, request),
  canResume: (session) => hasPrompt(session.context.transcript?.path ?? null),
  hookFacts: copilotHookFacts,
  // Its questions are answered in its terminal.
  hookAnswer: () => '',
  // Its hooks name its tools as Claude Code does.
  calls: claudeCalls,
  statusFacts: () => [],
  transcript: readCopilotEvents,
  conversations: openConversations,
  history: copilotHistory(setup.env),
  reach: { by: 'pane', read: readCopilotScreen },
});

async function plan(setup: Setup, session: Session, request: LaunchRequest): Promise<LaunchPlan> {
  if (request.providerId === null)
    throw new Error('Copilot needs a conversation id at its start, and there is none');
  const env = { ...request.env, ...ownShell, ...setup.env, ...request.own };
  const argv = [
    setup.command,
    ...copilotOptions(session, setup),
    ...['--plugin-dir', join(setup.hooksDir, 'copilot')],
    // Begins the conversation, or goes on with it if there is one.
    `--session-id=${request.providerId}`,
  ];
  return { argv, env, conversationsIn: conversationsFolder(env) };
}

/** It would take the environment of its commands from a login shell, which forgets our PATH, and with it `sm`. */
const ownShell = { COPILOT_DISABLE_LOGIN_SHELL_ENV: '1' };
