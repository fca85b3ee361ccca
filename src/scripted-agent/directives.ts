// What a prompt asks the scripted agent to do: `[[name argument]]`, any number of them, anywhere in the text.

export type Step =
  /** Speak slowly for a while. */
  | { do: 'sleep'; seconds: number }
  /** Work quietly until this file exists, for who wants to decide the moment. */
  | { do: 'wait'; file: string }
  /** Work until interrupted, after a few words if not `silent`. */
  | { do: 'hang'; silent: boolean }
  /** Run a command for real; `ask` shows the permission dialog whatever the mode. */
  | { do: 'bash'; command: string; ask: boolean }
  /** Write a file for real. */
  | { do: 'edit'; file: string; text: string }
  /** Start something that outlives the turn, and comes back with a turn of its own. */
  | { do: 'background'; seconds: number }
  /** Say this now, and as the last words. */
  | { do: 'say'; text: string }
  /** Say what hooks gave as additional context. */
  | { do: 'context' }
  /** Run this command whenever a later prompt has these words, also after a clear. */
  | { do: 'habit'; words: string; command: string }
  /** Report so many input tokens from now on. */
  | { do: 'usage'; tokens: number }
  /** Have used so many percent of its limit, which resets in so many seconds; all of it: answer no more until then. */
  | { do: 'limit'; used: number; seconds: number }
  /** Have cost so much more. */
  | { do: 'cost'; usd: number }
  /** Have a context window of so many tokens. */
  | { do: 'window'; tokens: number }
  /** Fail as if the model's server had. */
  | { do: 'fail'; error: string }
  | { do: 'exit'; code: number }
  /** Die at once, as by `kill -9`. */
  | { do: 'crash' };

const parsers: Record<string, (argument: string) => Step[]> = {
  sleep: (argument) => [{ do: 'sleep', seconds: number(argument, 1) }],
  wait: (file) => [{ do: 'wait', file }],
  bash: (command) => [{ do: 'bash', command, ask: false }],
  bashes: (argument) => {
    const [, rounds, command] = /^(\d+)\s+(.*)$/s.exec(argument) ?? [];
    return Array.from({ length: Number(rounds ?? 0) }, () => ({ do: 'bash', command: command!, ask: false }));
  },
  ask: (command) => [{ do: 'bash', command: command || 'echo asked', ask: true }],
  edit: (argument) => {
    const [, file, text] = /^(\S+)\s?(.*)$/s.exec(argument) ?? [];
    return file ? [{ do: 'edit', file, text: text ?? '' }] : [];
  },
  on: (argument) => {
    const [, words, command] = /^(.*?)\s*=>\s*(.*)$/s.exec(argument) ?? [];
    return words && command ? [{ do: 'habit', words, command }] : [];
  },
  say: (text) => [{ do: 'say', text }],
  usage: (argument) => [{ do: 'usage', tokens: number(argument, 0) }],
  limit: (argument) => {
    const [used = '', seconds = ''] = argument.split(/\s+/);
    return [{ do: 'limit', used: number(used, 100), seconds: number(seconds, 3600) }];
  },
  cost: (argument) => [{ do: 'cost', usd: number(argument, 0) }],
  window: (argument) => [{ do: 'window', tokens: number(argument, 200_000) }],
  fail: (error) => [{ do: 'fail', error: error || 'scripted failure' }],
  background: (argument) => [{ do: 'background', seconds: number(argument, 1) }],
  context: () => [{ do: 'context' }],
  exit: (argument) => [{ do: 'exit', code: number(argument, 0) }],
  crash: () => [{ do: 'crash' }],
  hang: (argument) => [{ do: 'hang', silent: argument === 'silent' }],
};

/** Unknown names are plain text: a message may quote anything between double brackets. */
export function parseDirectives(prompt: string): Step[] {
  return [...prompt.matchAll(/\[\[([a-z]+)(?:\s+(.*?))?\]\]/gs)].flatMap(
    ([, name, argument]) => parsers[name!]?.(argument ?? '') ?? [],
  );
}

function number(argument: string, otherwise: number): number {
  const value = Number.parseFloat(argument);
  return Number.isFinite(value) ? value : otherwise;
}
