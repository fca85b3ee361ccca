// The tools that directives use.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Agent } from './agent.ts';
import { type BackgroundTask, newId } from './session.ts';
import type { Tool, ToolOutcome, TurnHost } from './tool.ts';

/** Modes in which a tool call waits for a human. */
const ASKING = new Set(['default', 'plan']);

export function bashTool(agent: Agent, command: string, ask: boolean): Tool {
  return {
    name: 'Bash',
    title: 'Bash command',
    about: command,
    input: { command, description: 'scripted command' },
    asks: ask || ASKING.has(agent.options.permissionMode),
    run: async (signal) => {
      const { stdout, stderr, code } = await runShell(command, agent.cwd, signal);
      if (code !== 0)
        return { ok: false, error: [`Exit code ${code}`, stdout, stderr].filter(Boolean).join('\n') };
      const output = [stdout, stderr].filter(Boolean).join('\n') || '(Bash completed with no output)';
      return { ok: true, output, response: { stdout, stderr, interrupted: false, isImage: false } };
    },
  };
}

export function editTool(agent: Agent, file: string, text: string): Tool {
  const path = resolve(agent.cwd, file);
  return {
    name: 'Edit',
    title: 'Edit file',
    about: path,
    input: { file_path: path, old_string: '', new_string: text },
    asks: ASKING.has(agent.options.permissionMode),
    run: async (): Promise<ToolOutcome> => {
      try {
        writeFileSync(path, text);
      } catch (error) {
        return { ok: false, error: String(error) };
      }
      const output = `The file ${path} has been updated successfully.`;
      return { ok: true, output, response: { filePath: path, newString: text } };
    },
  };
}

/** Returns at once; the host hears when the time is over. */
export function backgroundTool(agent: Agent, seconds: number, host: TurnHost): Tool {
  const command = `sleep ${seconds}`;
  const description = `background for ${seconds} s`;
  return {
    name: 'Bash',
    title: 'Bash command',
    about: command,
    input: { command, description, run_in_background: true },
    asks: ASKING.has(agent.options.permissionMode),
    run: async () => {
      const task: BackgroundTask = {
        id: newId().slice(0, 8),
        type: 'shell',
        status: 'running',
        description,
        command,
      };
      const { backgroundTasks } = agent.session;
      backgroundTasks.push(task);
      setTimeout(() => {
        backgroundTasks.splice(backgroundTasks.indexOf(task), 1);
        host.backgroundDone(description, task.id);
      }, seconds * 1000);
      const output = `Command running in background with ID: ${task.id}`;
      return { ok: true, output, response: { stdout: '', stderr: '', backgroundTaskId: task.id } };
    },
  };
}

/** In a process group of its own, so that an interrupt takes everything that it started along. */
export function runShell(
  command: string,
  cwd: string,
  signal: AbortSignal,
): Promise<{ stdout: string; stderr: string; code: number | null }> {
  return new Promise((done) => {
    const child = spawn('bash', ['-c', command], { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    let stdout = '';
    let stderr = '';
    const kill = () => {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    };
    signal.addEventListener('abort', kill, { once: true });
    process.once('exit', kill);
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', (error) => done({ stdout, stderr: String(error), code: 127 }));
    child.on('exit', () => {
      signal.removeEventListener('abort', kill);
      process.removeListener('exit', kill);
    });
    child.on('close', (code) => done({ stdout: stdout.trimEnd(), stderr: stderr.trimEnd(), code }));
  });
}
