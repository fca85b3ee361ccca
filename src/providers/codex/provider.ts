// Codex in a pane.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { Capabilities, LaunchPlan, LaunchRequest, Provider } from '../../ports/provider.ts';
import { locateProgram } from '../locate.ts';
import { codexArguments, ownShell } from './arguments.ts';
import { firstStartAlone } from './first-start.ts';
import { codexHookFacts } from './hooks.ts';
import { hasPrompt, readCodexRollout } from './rollout.ts';
import { readCodexScreen } from './screen.ts';
import { openThreads } from './threads.ts';

export interface CodexOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly defaultModel: string | null;
  /** Where the hook programs are. */
  readonly hooksDir: string;
}

export const codexCapabilities: Capabilities = {
  pane: true,
  resume: true,
  compact: true,
  permissionDialog: true,
  remoteAnswers: false,
  stash: false,
  midTurn: 'in-tools',
  returnsPrompt: false,
  reviews: false,
  usage: true,
  handoff: true,
  commands: null,
  namesConversation: true,
};

export function codexProvider(options: CodexOptions): Provider {
  return {
    name: 'codex',
    capabilities: codexCapabilities,
    locate: (path) =>
      locateProgram(
        options.command,
        path,
        'Install it with: npm install -g @openai/codex, or set codex.command in the configuration.',
        options.args,
      ),
    plan: (session, request) => plan(options, session, request),
    canResume: (session) => hasPrompt(session.context.transcript?.path ?? null),
    hookFacts: codexHookFacts,
    hookAnswer: () => '',
    statusFacts: () => [],
    transcript: readCodexRollout,
    conversations: openThreads,
    read: readCodexScreen,
    // A word that ends in the last column of a popup's interest ($word, @word) would give Enter to the popup.
    typed: (text) => `${text} `,
  };
}

async function plan(options: CodexOptions, session: Session, request: LaunchRequest): Promise<LaunchPlan> {
  const env = { ...request.env, ...options.env };
  const home = env.CODEX_HOME ?? join(env.HOME ?? homedir(), '.codex');
  await firstStartAlone(home);
  const model = session.model ?? options.defaultModel;
  const argv = [
    options.command,
    ...ownShell,
    ...options.args,
    ...codexArguments(options.hooksDir),
    ...(model ? ['--model', model] : []),
    ...(request.resume && request.providerId ? ['resume', request.providerId] : []),
  ];
  return { argv, env, conversationsIn: join(home, 'thread-writer-locks') };
}
