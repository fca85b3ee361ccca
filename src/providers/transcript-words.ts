// What a person would read in a line of a transcript, for each kind of agent that keeps one.
import { claudeWords } from './claude/transcript-words.ts';
import { codexWords } from './codex/rollout-words.ts';
import { copilotWords } from './copilot/events-words.ts';
import { qwenWords } from './qwen/transcript-words.ts';

const readers: Readonly<Record<string, (line: string) => string>> = {
  claude: claudeWords,
  'claude-app': claudeWords,
  scripted: claudeWords,
  codex: codexWords,
  copilot: copilotWords,
  qwen: qwenWords,
};

/** Empty where there is nothing to read. */
export function wordsOfLine(provider: string, line: string): string {
  try {
    return readers[provider]?.(line) ?? '';
  } catch {
    // A line that is cut, or of another version.
    return '';
  }
}
