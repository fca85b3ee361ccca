// Everything that an agent says: its hooks, its status line, its transcript, and what it says where it has no terminal.
// Nothing of it makes a reader fail, and what a reader makes of it breaks no rule of a session and no schema.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';
import type { Fact } from '../../src/domain/core/fact.ts';
import type { HookInput } from '../../src/ports/provider.ts';
import { knownAs } from '../../src/providers/acp/known.ts';
import { type Note, readAcp } from '../../src/providers/acp/reader.ts';
import { claudeCalls } from '../../src/providers/claude/calls.ts';
import { claudeHookFacts, claudeStatusFacts } from '../../src/providers/claude/hooks.ts';
import { readClaudeTranscript } from '../../src/providers/claude/transcript.ts';
import { readClaude } from '../../src/providers/claude-app/reader.ts';
import { codexHookFacts } from '../../src/providers/codex/hooks.ts';
import { readCodexRollout } from '../../src/providers/codex/rollout.ts';
import { readAppServer } from '../../src/providers/codex-app/reader.ts';
import { readCopilotEvents } from '../../src/providers/copilot/events.ts';
import { copilotHookFacts } from '../../src/providers/copilot/hooks.ts';
import { geminiHookFacts } from '../../src/providers/gemini/hooks.ts';
import { readGeminiTranscript } from '../../src/providers/gemini/transcript.ts';
import { readOpencode } from '../../src/providers/opencode/reader.ts';
import { qwenCalls, qwenHookFacts } from '../../src/providers/qwen/hooks.ts';
import { readQwen } from '../../src/providers/qwen/reader.ts';
import { readQwenTranscript } from '../../src/providers/qwen/transcript.ts';
import { type Dice, eachInput, inputs } from './dice.ts';
import { type Hearing, openHearing } from './hearing.ts';
import { hostileLine } from './hostile.ts';
import {
  acpLines,
  appServerLines,
  claudeLines,
  claudeStatus,
  hooks,
  opencodeLines,
  qwenLines,
} from './said.ts';

/** A reader lives for so many lines. */
const life = 40;

const recorded = (agent: string): string[] => {
  const folder = join(import.meta.dirname, '../agents/transcripts', agent);
  const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  return files.flatMap((text) => text.split('\n')).filter((line) => line !== '');
};

/** As if all of these were on their way, in the middle of what it says. */
const acpNotes = () =>
  new Map<string, Note>([
    ['hello:0', { what: 'hello', after: 0 }],
    ['start:0', { what: 'open', conversation: null, after: 0 }],
    ['resume:0', { what: 'open', conversation: 's1', after: 0 }],
    ['clear:s1:a3', { what: 'open', conversation: null, after: 0 }],
    ['prompt:a1', { what: 'prompt', conversation: 's1', text: 'do it', messages: ['aaaaaaaa'], after: 300 }],
    ['prompt:a2', { what: 'compact', conversation: 's1', after: 2_000 }],
  ]);

type Reading = readonly [string, readonly string[], () => (line: string) => readonly Fact[]];

const readers: readonly Reading[] = [
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
    'the events of Copilot',
    recorded('copilot-1.0.102'),
    () => {
      const reader = readCopilotEvents({ turnId: null, providerId: 'conversation' });
      return (line) => reader.line(line);
    },
  ],
  [
    'the transcripts of Gemini CLI',
    recorded('gemini-0.61.0'),
    () => {
      const reader = readGeminiTranscript({ turnId: null, providerId: 'conversation' });
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
  [
    'the transcripts of Qwen Code',
    recorded('qwen-0.24.4'),
    () => {
      const reader = readQwenTranscript({ turnId: null });
      return (line) => reader.line(line);
    },
  ],
  [
    'what Qwen Code writes for us',
    qwenLines,
    () => {
      const reader = readQwen();
      return (line) => {
        reader.line(line);
        return [];
      };
    },
  ],
  ['the hooks of Qwen Code', hooks, () => hookOf(qwenHookFacts)],
  ...['copilot', 'claude-agent-acp', 'unknown'].map(
    (like): Reading => [
      `the Agent Client Protocol (${like})`,
      acpLines,
      () => {
        const reader = readAcp(knownAs(like), acpNotes());
        let at = 0;
        return (line) => {
          at += 100;
          const { told } = reader.line(line, at);
          reader.answered(7);
          reader.settled();
          return told.map(({ fact }) => fact);
        };
      },
    ],
  ),
  [
    'the server of opencode',
    opencodeLines,
    () => {
      const reader = readOpencode(null);
      return (line) => reader.line(line).told.map(({ fact }) => fact);
    },
  ],
  ['the hooks of Claude Code', hooks, () => hookOf(claudeHookFacts)],
  ['the hooks of Codex', hooks, () => hookOf(codexHookFacts)],
  ['the hooks of Copilot', hooks, () => hookOf(copilotHookFacts)],
  ['the hooks of Gemini CLI', hooks, () => hookOf(geminiHookFacts)],
  ['the status line of Claude Code', claudeStatus, () => hookOf(claudeStatusFacts)],
  [
    'the calls of tools',
    hooks,
    () => (line) => {
      const hook = objectIn(line);
      if (hook) claudeCalls.read(hook);
      if (hook) qwenCalls.read(hook);
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
