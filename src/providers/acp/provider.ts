// An agent that speaks the Agent Client Protocol, as the configuration names it.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { LaunchPlan, LaunchRequest, Provide, Setup } from '../../ports/provider.ts';
import { locateProgram } from '../locate.ts';
import { driveAcp, loads } from './driver.ts';
import { knownAs } from './known.ts';

export const provide: Provide = (setup, card) => ({
  ...card,
  locate: (path) => locateProgram(card, setup, path),
  plan: (session, request) => plan(setup, session, request),
  // Without a prompt, some keep none.
  canResume: async (session) => session.context.used && loads(folderOf(setup, session)),
  hookFacts: () => [],
  hookAnswer: () => '',
  statusFacts: () => [],
  transcript: () => null,
  reach: {
    by: 'driver',
    drive: (deps) =>
      driveAcp(deps, {
        known: knownAs(card.configured?.like ?? ''),
        clear: card.commandTo.clear,
        folder: (session) => folderOf(setup, session),
        defaultModel: setup.defaultModel,
      }),
  },
});

async function plan(setup: Setup, session: Session, request: LaunchRequest): Promise<LaunchPlan> {
  const folder = folderOf(setup, session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const argv = [
    ...['/bin/sh', join(setup.hooksDir, 'headless.sh'), folder],
    ...[setup.command, ...setup.args, ...session.options.args],
  ];
  return { argv, env: { ...request.env, ...setup.env, ...request.own } };
}

/** Where a session's agent reads and writes. */
const folderOf = ({ sessionDir }: Setup, session: Session): string => join(sessionDir(session), 'acp');
