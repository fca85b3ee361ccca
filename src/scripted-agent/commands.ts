// Slash commands: they reach no model and fire no UserPromptSubmit.

import { setTimeout as pause } from 'node:timers/promises';
import { type Agent, fire, say } from './agent.ts';
import { lock, unlock } from './claim.ts';
import { compact } from './compaction.ts';
import { createSession, newId } from './session.ts';

/** A path at the start of a prompt is no command. */
export const isCommand = (text: string): boolean => /^\/[\w:-]+(\s|$)/.test(text);

export const isExit = (text: string): boolean => /^\/(exit|quit)\s*$/.test(text);

const CLEAR_MS = 100;

export async function runCommand(agent: Agent, text: string): Promise<void> {
  const [, name = '', args = ''] = /^\/(\S*)\s*(.*)$/s.exec(text) ?? [];
  switch (name) {
    case 'clear':
      return clearSession(agent);
    case 'compact':
      say(agent, 'prompt', text);
      await compact(agent, 'manual', args);
      writeCommand(agent, name, args);
      return;
    case 'exit':
    case 'quit':
      return agent.exit(0, 'prompt_input_exit');
    default:
      say(agent, 'answer', `Unknown command: /${name}`);
      agent.session.transcript.add({
        type: 'system',
        subtype: 'informational',
        content: `Unknown command: /${name}`,
        level: 'warning',
      });
  }
}

async function clearSession(agent: Agent): Promise<void> {
  const old = agent.session;
  const { stopOnClearMs } = agent.faults;
  if (stopOnClearMs !== null) {
    const before = { ...agent, session: old };
    const fields = { stop_hook_active: false, last_assistant_message: '', background_tasks: [] };
    setTimeout(() => void fire(before, 'Stop', fields), stopOnClearMs);
  }
  await fire(agent, 'SessionEnd', { reason: 'clear' }, 'clear');
  await pause(CLEAR_MS);

  const id = newId();
  agent.session = createSession(id, agent.paths.transcript(id), agent.cwd, agent.faults);
  agent.session.tokens.window = old.tokens.window;
  lock(agent.paths, id);
  unlock(agent.paths, old.id);
  agent.view.log = agent.view.log.filter((entry) => entry.kind === 'note');
  say(agent, 'prompt', '/clear');
  await fire(agent, 'SessionStart', { source: 'clear' }, 'clear');
  writeCommand(agent, 'clear', '');
  agent.statusLine.schedule(agent);
}

function writeCommand(agent: Agent, name: string, args: string): void {
  agent.session.transcript.add({
    type: 'user',
    message: {
      role: 'user',
      content: `<command-name>/${name}</command-name>\n<command-message>${name}</command-message>\n<command-args>${args}</command-args>`,
    },
  });
}
