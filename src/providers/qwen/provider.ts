// Qwen Code: it has a terminal for its human, and takes what we say from a file.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { LaunchPlan, LaunchRequest, Provide, Setup } from '../../ports/provider.ts';
import { hookAnswer, startContext } from '../common-hooks.ts';
import { locateProgram } from '../locate.ts';
import { record } from '../values.ts';
import { card } from './card.ts';
import { driveQwen } from './driver.ts';
import { qwenFolder, qwenHistory } from './history.ts';
import { hookSettings, qwenCalls, qwenHookFacts } from './hooks.ts';
import { conversationOptions, qwenOptions } from './options.ts';
import { hasConversation, parse, readQwenTranscript } from './transcript.ts';

export const provide: Provide = (setup) => ({
  ...card,
  locate: (path) => locateProgram(card, setup, path, setup.args),
  plan: (session, request) => plan(setup, session, request),
  canResume: (session) => hasConversation(session.context.transcript?.path ?? null),
  hookFacts: qwenHookFacts,
  hookAnswer,
  startContext,
  calls: qwenCalls,
  statusFacts: () => [],
  transcript: readQwenTranscript,
  history: qwenHistory((env) => qwenFolder({ ...env, ...setup.env })),
  reach: {
    by: 'driver',
    drive: (deps) => driveQwen(deps, (session) => folderOf(setup, session)),
  },
});

async function plan(setup: Setup, session: Session, request: LaunchRequest): Promise<LaunchPlan> {
  const env = { ...request.env, ...setup.env, ...request.own };
  const folder = setup.sessionDir(session);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { path, defaults } = systemSettings(env);
  const settings = join(folder, 'qwen-settings.json');
  const whole = withOurs(await settingsIn(path), setup.hooksDir);
  await writeFile(settings, JSON.stringify(whole, null, 2), { mode: 0o600 });
  const argv = [
    ...['/bin/sh', join(setup.hooksDir, 'qwen.sh'), folderOf(setup, session)],
    setup.command,
    ...qwenOptions(session, setup),
    ...conversationOptions(request),
  ];
  const ours = { QWEN_CODE_SYSTEM_SETTINGS_PATH: settings, QWEN_CODE_SYSTEM_DEFAULTS_PATH: defaults };
  return { argv, env: { ...env, ...ours } };
}

/** Those of the machine, whose place ours take: no other file is read that is not the user's own. */
function systemSettings(env: Readonly<Record<string, string>>): { path: string; defaults: string } {
  const machine = process.platform === 'darwin' ? '/Library/Application Support/QwenCode' : '/etc/qwen-code';
  const path = env.QWEN_CODE_SYSTEM_SETTINGS_PATH || join(machine, 'settings.json');
  return {
    path,
    defaults: env.QWEN_CODE_SYSTEM_DEFAULTS_PATH || join(dirname(path), 'system-defaults.json'),
  };
}

/** The title is what tells whether a turn runs. */
function withOurs(settings: Record<string, unknown>, hooksDir: string): object {
  const before = record(settings.hooks);
  const hooks = Object.entries(hookSettings(hooksDir)).map(([event, ours]) => [
    event,
    [...(Array.isArray(before[event]) ? before[event] : []), ...(ours as object[])],
  ]);
  return {
    ...settings,
    ui: { ...record(settings.ui), hideWindowTitle: false, showStatusInTitle: true },
    hooks: { ...before, ...Object.fromEntries(hooks) },
  };
}

async function settingsIn(path: string): Promise<Record<string, unknown>> {
  return parse(await readFile(path, 'utf8').catch(() => '')) ?? {};
}

/** Where a session's agent reads and writes. */
const folderOf = ({ sessionDir }: Setup, session: Session): string => join(sessionDir(session), 'qwen');
