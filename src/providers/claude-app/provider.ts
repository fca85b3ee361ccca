// Claude Code without a terminal, which is spoken to and listened to.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { LaunchPlan, LaunchRequest, Provide, Setup } from '../../ports/provider.ts';
import { claudeCalls } from '../claude/calls.ts';
import { configDir } from '../claude/config-dir.ts';
import { claudeHistory } from '../claude/history.ts';
import { claudeHookFacts } from '../claude/hooks.ts';
import { sessionHooksVariable } from '../claude/installed.ts';
import { claudeOptions, conversationOptions } from '../claude/options.ts';
import { hookSettings } from '../claude/settings.ts';
import { hasConversation } from '../claude/transcript.ts';
import { claudeVisible } from '../claude/visible.ts';
import { startContext } from '../common-hooks.ts';
import { locateProgram } from '../locate.ts';
import { card } from './card.ts';
import { driveClaude } from './driver.ts';

/** What the agent does not say itself: where its transcript is, and that a conversation is over. */
const heardByHook = ['SessionStart', 'SessionEnd'];

export const provide: Provide = (setup) => ({
  ...card,
  locate: (path) => locateProgram(card, setup, path, setup.args),
  plan: (session, request) => plan(setup, session, request),
  canResume: (session) => hasConversation(session.context.transcript?.path ?? null),
  hookFacts: (hook) => (heardByHook.includes(String(hook.hook_event_name)) ? claudeHookFacts(hook) : []),
  hookAnswer: () => '',
  startContext,
  calls: claudeCalls,
  statusFacts: () => [],
  transcript: () => null,
  history: claudeHistory((env) => configDir({ ...env, ...setup.env })),
  visible: (session, env) =>
    claudeVisible(settingsIn(folderOf(setup, session)), session, configDir(env), env),
  reach: {
    by: 'driver',
    drive: (deps) => driveClaude(deps, (session) => folderOf(setup, session)),
  },
});

async function plan(setup: Setup, session: Session, request: LaunchRequest): Promise<LaunchPlan> {
  const folder = folderOf(setup, session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const settings = settingsIn(folder);
  const programs = { directory: setup.hooksDir, answerWaitSeconds: 0 };
  const hooks = hookSettings(programs, [...heardByHook, 'PreToolUse']);
  await writeFile(settings, JSON.stringify({ hooks }, null, 2), { mode: 0o600 });
  const command = [
    setup.command,
    ...claudeOptions(session, setup),
    ...['-p', '--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose'],
    ...['--permission-prompt-tool', 'stdio'],
    ...conversationOptions(request),
    ...['--settings', settings],
  ];
  const argv = [
    ...['/bin/sh', join(setup.hooksDir, 'headless.sh'), folder],
    ...(request.confine?.(command) ?? command),
  ];
  const env = { ...request.env, ...setup.env, ...request.own };
  return { argv, env: { ...env, [sessionHooksVariable]: '1', CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS: '1' } };
}

const settingsIn = (folder: string): string => join(folder, 'settings.json');

/** Where a session's agent reads and writes. */
const folderOf = ({ sessionDir }: Setup, session: Session): string => join(sessionDir(session), 'claude-app');
