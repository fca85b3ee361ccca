// Codex without a terminal: an app-server per session, which is spoken to and listened to.
import { access, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { Capabilities, Provider } from '../../ports/provider.ts';
import { ownShell } from '../codex/arguments.ts';
import { firstStartAlone } from '../codex/first-start.ts';
import { locateProgram } from '../locate.ts';

export interface CodexAppOptions {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where app-server.sh is. */
  readonly hooksDir: string;
  /** Where a session's app-server reads and writes. */
  readonly folder: (session: Session) => string;
}

export const codexAppCapabilities: Capabilities = {
  pane: false,
  resume: true,
  compact: true,
  permissionDialog: true,
  remoteAnswers: true,
  stash: false,
  midTurn: 'in-tools',
  returnsPrompt: false,
  reviews: true,
  usage: true,
  // A handoff is an agent's own, from inside its terminal.
  handoff: false,
  commands: ['/clear', '/compact'],
  namesConversation: true,
};

export function codexAppProvider(options: CodexAppOptions): Provider {
  return {
    name: 'codex-app',
    capabilities: codexAppCapabilities,
    locate: (path) =>
      locateProgram(
        options.command,
        path,
        'Install it with: npm install -g @openai/codex, or set codex_app.command in the configuration.',
      ),
    async plan(session, request) {
      const folder = options.folder(session);
      const env = { ...request.env, ...options.env };
      await mkdir(folder, { recursive: true, mode: 0o700 });
      await firstStartAlone(env.CODEX_HOME ?? join(env.HOME ?? homedir(), '.codex'));
      const holder = ['/bin/sh', join(options.hooksDir, 'app-server.sh'), folder];
      return { argv: [...holder, options.command, 'app-server', ...ownShell, ...options.args], env };
    },
    // A thread in which nothing was said has no rollout, and cannot be taken up again.
    canResume: ({ context }) =>
      context.used && context.transcript ? isThere(context.transcript.path) : Promise.resolve(false),
    // It has no hooks, no transcript and no screen: its driver hears everything from the app-server.
    hookFacts: () => [],
    hookAnswer: () => '',
    statusFacts: () => [],
    transcript: () => null,
    read: () => ({ shows: 'unknown', text: '' }),
  };
}

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
