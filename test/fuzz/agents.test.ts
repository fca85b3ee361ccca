// Everything that an agent says: its hooks, its status line, its transcript, and what it says where it has no terminal.
// Nothing of it makes a reader fail, and what a reader makes of it breaks no rule of a session and no schema.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import type { Fact } from '../../src/domain/core/fact.ts';
import type { HookInput } from '../../src/ports/provider.ts';
import { claudeCalls } from '../../src/providers/claude/calls.ts';
import { claudeHookFacts, claudeStatusFacts } from '../../src/providers/claude/hooks.ts';
import { readClaudeTranscript } from '../../src/providers/claude/transcript.ts';
import { readClaude } from '../../src/providers/claude-app/reader.ts';
import { codexHookFacts } from '../../src/providers/codex/hooks.ts';
import { readCodexRollout } from '../../src/providers/codex/rollout.ts';
import { readAppServer } from '../../src/providers/codex-app/reader.ts';
import { type Dice, eachInput, inputs } from './dice.ts';
import { type Hearing, openHearing } from './hearing.ts';
import { hostileLine } from './hostile.ts';
import { appServerLines, claudeLines, claudeStatus, hooks } from './said.ts';

/** A reader lives for so many lines. */
const life = 40;

const recorded = (agent: string): string[] => {
  const folder = join(import.meta.dirname, '../agents/transcripts', agent);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return files.flatMap((text) => text.split('\n')).filter((line) => line !== '');
};

const readers: readonly [string, readonly string[], () => (line: string) => readonly Fact[]][] = [
  [
    'the transcripts of Claude Code',
    recorded('claude-2.1.325'),
    () => {
      const reader = readClaudeTranscript({ turnId: null });
      return (line) => reader.line(line);
    },
  ],
  [
    'the rollouts of Codex',
    recorded('codex-0.166.0'),
    () => {
      const reader = readCodexRollout({ turnId: null, providerId: 'thread' });
      return (line) => reader.line(line);
    },
  ],
  [
    'Claude Code without a terminal',
    claudeLines,
    () => {
      const reader = readClaude((id) => (id === 'b' ? '/clear' : `[sm] ${id}`));
      return (line) => reader.line(line).told.map(({ fact }) => fact);
    },
  ],
  [
    'the app-server of Codex',
    appServerLines,
    () => {
      const reader = readAppServer();
      return (line) => reader.line(line).told.map(({ fact }) => fact);
    },
  ],
  ['the hooks of Claude Code', hooks, () => hookOf(claudeHookFacts)],
  ['the hooks of Codex', hooks, () => hookOf(codexHookFacts)],
  ['the status line of Claude Code', claudeStatus, () => hookOf(claudeStatusFacts)],
  [
    'the calls of tools',
    hooks,
    () => (line) => {
      const hook = objectIn(line);
      if (hook) claudeCalls.read(hook);
      return [];
    },
  ],
];

const hookOf = (facts: (hook: HookInput) => readonly Fact[]) => (line: string) => {
  const hook = objectIn(line);
  return hook ? facts(hook) : [];
};

/** As the door and the spool do: anything else is no hook. */
function objectIn(line: string): HookInput | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as HookInput) : null;
  } catch {
    return null;
  }
}

it.each(readers)(`%s: ${inputs} lines`, async (_, lines, open) => {
  let read = open();
  let hearing: Hearing | null = null;
  await eachInput(inputs, (d: Dice, number) => {
    if (number % life === 0 || !hearing) {
      read = open();
      hearing = openHearing(d);
    }
    hearing.hear(read(hostileLine(d, lines)));
  });
});
