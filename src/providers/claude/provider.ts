// Claude Code in a pane.
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { Capabilities, LaunchPlan, LaunchRequest, Provider } from '../../ports/provider.ts';
import { locateProgram } from '../locate.ts';
import { claudeEdits } from './edits.ts';
import { claudeHookAnswer, claudeHookFacts, claudeStatusFacts } from './hooks.ts';
import { sessionHooksVariable } from './installed.ts';
import { readClaudeScreen } from './screen.ts';
import { claudeSettings, userStatusLine } from './settings.ts';
import { hasConversation, readClaudeTranscript } from './transcript.ts';

export interface ClaudeOptions {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly defaultModel: string | null;
  /** Where the hook programs are. */
  readonly hooksDir: string;
  /** How long its question waits for an answer from afar; 0: not at all. */
  readonly answerWaitSeconds: number;
  /** Where a session's own files go. */
  readonly sessionDir: (session: Session) => string;
}

export const claudeCapabilities: Capabilities = {
  pane: true,
  resume: true,
  compact: true,
  permissionDialog: true,
  remoteAnswers: true,
  stash: true,
  midTurn: 'anytime',
  returnsPrompt: true,
  reviews: false,
  usage: true,
  handoff: true,
  commands: null,
  namesConversation: false,
};

export function claudeProvider(options: ClaudeOptions): Provider {
  const locate = (path: string) =>
    locateProgram(
      options.command,
      path,
      'Install it with: npm install -g @anthropic-ai/claude-code, or set claude.command in the configuration.',
      options.args,
    );

  return {
    name: options.name,
    capabilities: claudeCapabilities,
    locate,
    plan: async (session, request) => plan(options, session, request),
    canResume: (session) => hasConversation(session.context.transcript?.path ?? null),
    hookFacts: claudeHookFacts,
    hookAnswer: claudeHookAnswer,
    edits: claudeEdits,
    statusFacts: claudeStatusFacts,
    transcript: readClaudeTranscript,
    read: readClaudeScreen,
  };
}

async function plan(options: ClaudeOptions, session: Session, request: LaunchRequest): Promise<LaunchPlan> {
  const env = { ...request.env, ...options.env };
  const folder = options.sessionDir(session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const configDir = env.CLAUDE_CONFIG_DIR ?? join(env.HOME ?? homedir(), '.claude');
  const settings = claudeSettings(
    { directory: options.hooksDir, answerWaitSeconds: options.answerWaitSeconds },
    await userStatusLine(configDir, session.workingDir),
  );
  const settingsFile = join(folder, 'settings.json');
  await writeFile(settingsFile, JSON.stringify(settings, null, 2), { mode: 0o600 });

  const model = session.model ?? options.defaultModel;
  const argv = [
    options.command,
    ...options.args,
    request.resume ? '--resume' : '--session-id',
    request.providerId ?? refuseNameless(),
    '--settings',
    settingsFile,
    ...(model ? ['--model', model] : []),
  ];
  return { argv, env: { ...env, [sessionHooksVariable]: '1' } };
}

function refuseNameless(): never {
  throw new Error('a conversation of Claude Code goes by the id that it is started with, and there is none');
}
