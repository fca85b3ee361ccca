// Codex without a terminal: an app-server per session, which is spoken to and listened to.
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { Provide, Setup } from '../../ports/provider.ts';
import { hookArguments, ownShell } from '../codex/arguments.ts';
import { codexCalls } from '../codex/calls.ts';
import { firstStartAlone } from '../codex/first-start.ts';
import { codexHistory } from '../codex/history.ts';
import { codexHome } from '../codex/home.ts';
import { commonOptions } from '../codex/options.ts';
import { locateProgram } from '../locate.ts';
import { card } from './card.ts';
import { driveAppServers } from './driver.ts';

export const provide: Provide = (setup) => ({
  ...card,
  locate: (path) => locateProgram(card, setup, path),
  async plan(session, request) {
    const folder = folderOf(setup, session);
    const env = { ...request.env, ...setup.env, ...request.own };
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await firstStartAlone(codexHome(env));
    const holder = ['/bin/sh', join(setup.hooksDir, 'headless.sh'), folder];
    const options = commonOptions(session, setup);
    const hooks = hookArguments(setup.hooksDir, ['PreToolUse']);
    return { argv: [...holder, setup.command, 'app-server', ...ownShell, ...hooks, ...options], env };
  },
  // A thread in which nothing was said has no rollout, and cannot be taken up again.
  canResume: ({ context }) =>
    context.used && context.transcript ? isThere(context.transcript.path) : Promise.resolve(false),
  // Its driver hears everything from the app-server; only what is denied is stopped by a hook.
  calls: codexCalls,
  hookFacts: () => [],
  hookAnswer: () => '',
  statusFacts: () => [],
  transcript: () => null,
  history: codexHistory(setup.env),
  reach: {
    by: 'driver',
    drive: (deps) =>
      driveAppServers(deps, {
        folder: (session) => folderOf(setup, session),
        defaultModel: setup.defaultModel,
      }),
  },
});

/** Where a session's app-server reads and writes. */
const folderOf = ({ sessionDir }: Setup, session: Session): string => join(sessionDir(session), 'app-server');

const isThere = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );
