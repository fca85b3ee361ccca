// opencode: it has a terminal for its human, and a server that we speak to.
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { Card, LaunchPlan, LaunchRequest, Provide, Provider, Setup } from '../../ports/provider.ts';
import { locateProgram } from '../locate.ts';
import { card } from './card.ts';
import { driveOpencode } from './driver.ts';

export const provide: Provide = (setup) => opencodeProvider(card, setup);

export const opencodeProvider = (card: Card, setup: Setup): Provider => ({
  ...card,
  locate: (path) => locateProgram(card, setup, path),
  plan: (session, request) => plan(card, setup, session, request),
  // It keeps each from its beginning.
  canResume: ({ context }) => Promise.resolve(context.providerId !== null),
  hookFacts: () => [],
  hookAnswer: () => '',
  statusFacts: () => [],
  transcript: () => null,
  reach: {
    by: 'driver',
    drive: (deps) =>
      driveOpencode(deps, {
        folder: (session) => folderOf(setup, session),
        defaultModel: setup.defaultModel,
      }),
  },
});

async function plan(
  { capabilities }: Card,
  setup: Setup,
  session: Session,
  request: LaunchRequest,
): Promise<LaunchPlan> {
  const folder = folderOf(setup, session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const port = String(await freePort());
  const bridge = [process.execPath, join(setup.dist, 'opencode-bridge.cjs'), port];
  const screen = ['/bin/sh', join(setup.hooksDir, 'opencode.sh'), folder, `http://127.0.0.1:${port}`];
  const argv = [
    ...['/bin/sh', join(setup.hooksDir, 'headless.sh'), folder, '--beside', ...bridge],
    ...(capabilities.pane ? screen : []),
    ...[setup.command, 'serve', ...setup.args],
    ...session.options.args,
    ...['--port', port, '--hostname', '127.0.0.1'],
  ];
  // Its server would run commands for whoever asks.
  const password = { OPENCODE_SERVER_PASSWORD: randomBytes(24).toString('base64url') };
  return { argv, env: { ...request.env, ...setup.env, ...request.own, ...password } };
}

/** opencode says nowhere which port it has taken, so that it must be given one. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** Where a session's files are. */
const folderOf = ({ sessionDir }: Setup, session: Session): string => join(sessionDir(session), 'opencode');
