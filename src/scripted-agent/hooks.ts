// Runs the hooks of an event, all at once, and waits for those that are not async. Faults live here too:
// a hook that does not come, comes late, or comes twice is what a session manager has to survive.

import { spawn } from 'node:child_process';
import type { Faults } from './faults.ts';
import type { HookGroup, HookSpec, Settings } from './settings.ts';

export interface HookResult {
  name: string;
  durationMs: number;
  answer: HookAnswer;
}

/** What a hook may say on its standard output. */
export interface HookAnswer {
  decision?: string;
  reason?: string;
  hookSpecificOutput?: {
    additionalContext?: string;
    permissionDecision?: string;
    permissionDecisionReason?: string;
    decision?: { behavior: 'allow' | 'deny'; message?: string };
  };
}

export type Payload = { hook_event_name: string } & Record<string, unknown>;

export interface Hooks {
  /** `subject` is what matchers are held against: a tool's name, a source, a trigger. */
  fire(payload: Payload, subject?: string): Promise<HookResult[]>;
}

const DEFAULT_TIMEOUT_S = 60;

export function createHooks(settings: Settings, faults: Faults, cwd: string): Hooks {
  function matching(event: string, subject: string): HookSpec[] {
    return (settings.hooks[event] ?? [])
      .filter((group) => matches(group, subject))
      .flatMap((group) => group.hooks)
      .filter((hook) => !(hook.type === 'http' && event === 'SessionStart'));
  }

  async function runAll(payload: Payload, subject: string): Promise<HookResult[]> {
    const body = JSON.stringify(payload);
    const hooks = matching(payload.hook_event_name, subject);
    const runs = hooks.map((hook) => ({ hook, result: run(hook, payload.hook_event_name, body, cwd) }));
    return Promise.all(runs.filter(({ hook }) => !hook.async).map(({ result }) => result));
  }

  return {
    async fire(payload, subject = '') {
      const fault = faults.hook(payload.hook_event_name, subject);
      if (fault.skip) return [];
      if (fault.lateMs > 0) {
        setTimeout(() => void runAll(payload, subject), fault.lateMs);
        return [];
      }
      if (fault.twice) await runAll(payload, subject);
      return runAll(payload, subject);
    },
  };
}

function matches(group: HookGroup, subject: string): boolean {
  if (!group.matcher || group.matcher === '*') return true;
  return new RegExp(`^(?:${group.matcher})$`).test(subject);
}

async function run(hook: HookSpec, event: string, body: string, cwd: string): Promise<HookResult> {
  const started = Date.now();
  const timeoutMs = (hook.timeout ?? DEFAULT_TIMEOUT_S) * 1000;
  const output =
    hook.type === 'command'
      ? await runCommand(hook.command, body, cwd, timeoutMs)
      : await post(hook, body, timeoutMs);
  return {
    name: hook.type === 'command' ? hook.command : hook.url,
    durationMs: Date.now() - started,
    answer: readAnswer(output, event),
  };
}

interface Output {
  stdout: string;
  stderr: string;
  code: number | null;
}

export function runCommand(command: string, stdin: string, cwd: string, timeoutMs: number): Promise<Output> {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, cwd, stdio: 'pipe', timeout: timeoutMs });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', (error) => resolve({ stdout, stderr: String(error), code: null }));
    child.on('close', (code) => resolve({ stdout, stderr, code }));
    // A command that does not read its input closes the pipe early; that is its right.
    child.stdin.on('error', () => {});
    child.stdin.end(stdin);
  });
}

async function post(
  hook: Extract<HookSpec, { type: 'http' }>,
  body: string,
  timeoutMs: number,
): Promise<Output> {
  const headers = Object.entries(hook.headers ?? {}).map(([name, value]) => [
    name,
    value.replace(/\$\{?(\w+)\}?/g, (_, variable: string) =>
      hook.allowedEnvVars?.includes(variable) ? (process.env[variable] ?? '') : '',
    ),
  ]);
  try {
    const response = await fetch(hook.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...Object.fromEntries(headers) },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { stdout: response.ok ? await response.text() : '', stderr: '', code: response.ok ? 0 : 1 };
  } catch (error) {
    return { stdout: '', stderr: String(error), code: 1 };
  }
}

/** Exit code 2 blocks with stderr as the reason. Plain words of these two events are context for the model. */
function readAnswer({ stdout, stderr, code }: Output, event: string): HookAnswer {
  if (code === 2) return { decision: 'block', reason: stderr.trim() };
  if (code !== 0 || stdout.trim() === '') return {};
  try {
    const answer: unknown = JSON.parse(stdout);
    if (typeof answer === 'object' && answer !== null) return answer;
  } catch {
    // Not JSON: words.
  }
  const isContext = event === 'SessionStart' || event === 'UserPromptSubmit';
  return isContext ? { hookSpecificOutput: { additionalContext: stdout.trim() } } : {};
}
