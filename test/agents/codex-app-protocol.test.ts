// Our part of the app-server's protocol against what the pinned version generates of it: what we say must be what it
// takes, and what we read of its words must be there.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const run = promisify(execFile);
const root = mkdtempSync(join(tmpdir(), 'sm-protocol-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const ours = join(import.meta.dirname, '../../src/providers/codex-app/protocol.ts');
const check = `
import type * as ours from ${JSON.stringify(ours)};
import type * as top from './generated/index';
import type * as v2 from './generated/v2/index';

/** What we say is what it takes. */
type Says<Theirs, Ours extends Theirs> = Ours;
/** What it says has all that we read. */
type Hears<Ours, Theirs extends Ours> = Theirs;
type Item<Type extends string> = Extract<v2.ThreadItem, { type: Type }>;

export type Checked = [
  Says<top.ClientRequest['method'], ours.ClientMethod>,
  Says<top.ServerNotification['method'], ours.HeardMethod | ours.UnreadMethod>,
  Says<top.ServerRequest['method'], ours.QuestionMethod>,
  Says<top.InitializeParams, ours.InitializeParams>,
  Says<v2.ThreadStartParams, ours.ThreadStartParams>,
  Says<v2.ThreadResumeParams, ours.ThreadResumeParams>,
  Says<v2.ThreadForkParams, ours.ThreadForkParams>,
  Says<v2.TurnStartParams, ours.TurnStartParams>,
  Says<v2.TurnSteerParams, ours.TurnSteerParams>,
  Says<v2.TurnInterruptParams, ours.TurnInterruptParams>,
  Says<v2.ReviewStartParams, ours.ReviewStartParams>,
  Says<v2.CommandExecutionRequestApprovalResponse, ours.ApprovalResponse>,
  Says<v2.FileChangeRequestApprovalResponse, ours.ApprovalResponse>,
  Says<v2.PermissionsRequestApprovalResponse, ours.PermissionsRequestApprovalResponse>,
  Says<v2.ToolRequestUserInputResponse, ours.ToolRequestUserInputResponse>,
  Hears<ours.ThreadOpened, v2.ThreadStartResponse>,
  Hears<ours.ThreadOpened, v2.ThreadResumeResponse>,
  Hears<ours.ThreadOpened, v2.ThreadForkResponse>,
  Hears<{ thread: ours.Thread }, v2.ThreadReadResponse>,
  Hears<ours.ThreadItem, v2.ThreadItem>,
  Hears<ours.UserMessage, Item<'userMessage'>>,
  Hears<ours.AgentMessage, Item<'agentMessage'>>,
  Hears<ours.ReviewStartResponse, v2.ReviewStartResponse>,
  Hears<ours.TurnNotification, v2.TurnStartedNotification>,
  Hears<ours.TurnNotification, v2.TurnCompletedNotification>,
  Hears<ours.ItemNotification, v2.ItemStartedNotification>,
  Hears<ours.ItemNotification, v2.ItemCompletedNotification>,
  Hears<ours.ThreadTokenUsageUpdatedNotification, v2.ThreadTokenUsageUpdatedNotification>,
  Hears<ours.ServerRequestResolvedNotification, v2.ServerRequestResolvedNotification>,
  Hears<ours.CommandExecutionRequestApprovalParams, v2.CommandExecutionRequestApprovalParams>,
  Hears<ours.FileChangeRequestApprovalParams, v2.FileChangeRequestApprovalParams>,
  Hears<ours.PermissionsRequestApprovalParams, v2.PermissionsRequestApprovalParams>,
  Hears<ours.ToolRequestUserInputParams, v2.ToolRequestUserInputParams>,
];
`;

it('is what the pinned version generates', async () => {
  const env = { ...process.env, CODEX_HOME: root };
  await run(
    process.env.SM_TEST_CODEX ?? '',
    ['app-server', 'generate-ts', '--out', join(root, 'generated')],
    {
      env,
    },
  );
  writeFileSync(join(root, 'check.ts'), check);
  const compiler = join(
    dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
    'bin/tsc',
  );
  const flags = '--noEmit --strict --skipLibCheck --target es2022 --module esnext --moduleResolution bundler';
  const checked = await run(
    process.execPath,
    [compiler, ...flags.split(' '), '--allowImportingTsExtensions', '--types', '', join(root, 'check.ts')],
    { cwd: root },
  ).catch((error: { stdout: string }) => error);
  expect(checked.stdout).toBe('');
});
