// Commands that Copilot left running: what its tools answer says which begin, a notification which have ended.
import { record, text } from '../values.ts';

export interface BackgroundShells {
  toolBegan(tool: Record<string, unknown>): void;
  toolEnded(tool: Record<string, unknown>): void;
  notified(notification: Record<string, unknown>): void;
  /** As far as it was told since the reading began. */
  readonly running: number;
}

export function backgroundShells(): BackgroundShells {
  const running = new Set<string>();
  const over = (shell: unknown) => running.delete(text(shell) ?? '');
  return {
    toolBegan({ toolName, arguments: given }) {
      if (toolName === 'stop_bash') over(record(given).shellId);
    },
    toolEnded({ result }) {
      const said = text(record(result).content) ?? '';
      const [, shell] = /^<command (?:started in background )?with shellId: ([^\s>]+)/.exec(said) ?? [];
      if (shell !== undefined) running.add(shell);
    },
    notified({ kind }) {
      if (text(record(kind).type)?.startsWith('shell_')) over(record(kind).shellId);
    },
    get running() {
      return running.size;
    },
  };
}
