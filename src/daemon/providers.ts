// The providers that this daemon has.
import { join } from 'node:path';
import type { Session } from '../domain/core/session.ts';
import type { Provider } from '../ports/provider.ts';
import { claudeProvider } from '../providers/claude/provider.ts';
import { codexProvider } from '../providers/codex/provider.ts';
import { codexAppProvider } from '../providers/codex-app/provider.ts';
import { scriptedProvider } from '../providers/scripted/provider.ts';
import type { Config } from './config.ts';
import type { Paths } from './paths.ts';

export function createProviders(config: Config, paths: Paths): Map<string, Provider> {
  const common = {
    hooksDir: paths.hooks,
    answerWaitSeconds: config.questions.wait_seconds,
    sessionDir: (session: Session) => join(paths.sessions, session.id),
  };
  const claude = claudeProvider({
    name: 'claude',
    command: config.claude.command,
    args: config.claude.args,
    env: config.claude.env,
    defaultModel: config.claude.default_model,
    ...common,
  });
  const codex = codexProvider({
    command: config.codex.command,
    args: config.codex.args,
    env: config.codex.env,
    defaultModel: config.codex.default_model,
    hooksDir: paths.hooks,
  });
  const codexApp = codexAppProvider({
    command: config.codex_app.command,
    args: config.codex_app.args,
    env: config.codex_app.env,
    hooksDir: paths.hooks,
    folder: appServerFolder(paths),
  });
  const scripted = scriptedProvider({ dist: paths.dist, args: config.scripted.args, ...common });
  return new Map([claude, codex, codexApp, scripted].map((provider) => [provider.name, provider]));
}

/** Where a session's app-server reads and writes. */
export const appServerFolder =
  (paths: Paths) =>
  (session: Session): string =>
    join(paths.sessions, session.id, 'app-server');
