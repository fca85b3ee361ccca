// For tests: the process of an agent in its pane, and what it was started with.
import { readFileSync } from 'node:fs';
import { childrenOf, type TestDaemon } from './daemon.ts';

export interface AgentProcess {
  readonly pid: number;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export async function agentProcess(daemon: TestDaemon, id: string): Promise<AgentProcess> {
  const pane = await daemon.tmux('display-message', '-p', '-t', `=sm-${id}:`, '#{pane_pid}');
  const pid = childrenOf(Number(pane))[0] as number;
  const words = (file: string) => readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0').slice(0, -1);
  const pairs = words('environ').map((pair): [string, string] => {
    const at = pair.indexOf('=');
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return { pid, args: words('cmdline'), env: Object.fromEntries(pairs) };
}

/** Whether these words stand one after the other. */
export const hasWords = ({ args }: AgentProcess, ...words: string[]): boolean =>
  args.some((_, at) => words.every((word, i) => args[at + i] === word));
