// What one Codex process is started with: our hooks, and the trust in exactly these. Everything goes on the command
// line, so nothing of the user's own configuration is written, and his hooks keep the trust that he gave them or not.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { patchTool } from './calls.ts';
import { hookEvents } from './hooks.ts';

/**
 * A login shell would forget our PATH, and with it `sm`; the environment is one of a login already. Before the user's own
 * arguments, which may say otherwise.
 */
export const ownShell = ['-c', 'allow_login_shell=false'];

/** Near its limit it would ask whether to take a cheaper model, and stand there until a human answers. */
const noNudge = ['-c', 'notice.hide_rate_limit_model_nudge=true'];

export function codexArguments(hooksDir: string): string[] {
  // Without this the agent would run in a daemon that all of them share, with the first one's environment.
  return ['--no-daemon', ...noNudge, ...hookArguments(hooksDir, hookEvents)];
}

export function hookArguments(hooksDir: string, events: readonly string[]): string[] {
  const hook = (event: string) => {
    const [program, ...args] = programs[event] ?? ['hook.sh'];
    const command = ['sh', quote(join(hooksDir, program)), ...args].join(' ');
    return { type: 'command', command, timeout: 10 };
  };
  const state = Object.fromEntries(events.map((event) => [stateKey(event), trust(event, hook(event))]));
  return [
    ...events.flatMap((event) => ['-c', `hooks.${event}=${toml([{ hooks: [hook(event)] }])}`]),
    '-c',
    `hooks.state=${toml(state)}`,
  ];
}

/** Its dialog waits for the hook of a question: so only a rule may answer, which takes no time. */
const programs: Readonly<Record<string, readonly [string, ...string[]]>> = {
  SessionStart: ['start.sh'],
  PermissionRequest: ['ask.sh', '0'],
  PreToolUse: ['tool.sh', patchTool],
};

/** Codex knows a hook by its place; those of the command line are in a file of this name. */
const stateKey = (event: string) => `/<session-flags>/config.toml:${snake(event)}:0:0`;

/** It trusts a hook whose definition has this hash: sorted JSON, with the default that is not written out. */
function trust(
  event: string,
  { type, command, timeout }: { type: string; command: string; timeout: number },
) {
  const definition = { event_name: snake(event), hooks: [{ async: false, command, timeout, type }] };
  return {
    trusted_hash: `sha256:${createHash('sha256').update(JSON.stringify(definition)).digest('hex')}`,
  };
}

const snake = (name: string) => name.replace(/(?<=[a-z])[A-Z]/g, (letter) => `_${letter}`).toLowerCase();

type Value = string | number | readonly Value[] | { readonly [key: string]: Value };

/** On one line, as the command line wants it. JSON strings are TOML strings. */
export function toml(value: Value): string {
  if (typeof value !== 'object') return JSON.stringify(value);
  if (isList(value)) return `[${value.map(toml).join(', ')}]`;
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)} = ${toml(each)}`)
    .join(', ')}}`;
}

const isList = (value: Value): value is readonly Value[] => Array.isArray(value);

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
