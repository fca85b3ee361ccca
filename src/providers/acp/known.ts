// What differs between agents that speak the Agent Client Protocol, as far as it was measured; the conformance suite
// runs on each. Of any other agent nothing is taken for granted.
import type { Capabilities, Tested } from '../../ports/provider.ts';
import copilot from '../copilot/tested.json' with { type: 'json' };
import { card as opencode } from '../opencode/card.ts';
import adapter from './tested.json' with { type: 'json' };

export interface Known {
  readonly title: string;
  readonly tested: Tested | null;
  readonly accountVariable: string | null;
  /** The command by which it compacts, given as a prompt. */
  readonly compact: string | null;
  /** How it calls the tool that is no tool, but a compaction. */
  readonly compactTool: string | null;
  /** It tells its usage when it begins with a prompt; otherwise that may come at any time. */
  readonly usageBegins: boolean;
  /** How the one thing that it says begins, when a turn that it calls ended has failed. */
  readonly errorWords: string | null;
  /** What it has beside the usage that names the model. */
  readonly modelIn: string | null;
  /** What it says that a turn has used is of that turn alone. */
  readonly tellsTokens: boolean;
  /** Its permission modes: which of its settings, and the value. */
  readonly modes: Readonly<Record<string, readonly [setting: string, value: string]>>;
  readonly capabilities: Partial<Capabilities>;
}

const nothing: Known = {
  title: 'an agent',
  tested: null,
  accountVariable: null,
  compact: null,
  compactTool: null,
  usageBegins: false,
  errorWords: null,
  modelIn: null,
  tellsTokens: false,
  modes: {},
  capabilities: {},
};

const sessionMode = (name: string) => `https://agentclientprotocol.com/protocol/session-modes#${name}`;

const table: Readonly<Record<string, Known>> = {
  copilot: {
    ...nothing,
    title: 'GitHub Copilot CLI',
    tested: copilot,
    accountVariable: 'COPILOT_HOME',
    compact: '/compact',
    usageBegins: true,
    errorWords: 'Error: ',
    modes: {
      ask: ['allow_all', 'off'],
      'allow-all': ['allow_all', 'on'],
      plan: ['mode', sessionMode('plan')],
      autopilot: ['mode', sessionMode('autopilot')],
    },
    capabilities: { usage: 'estimated', tellsPrompt: true },
  },
  'claude-agent-acp': {
    ...nothing,
    title: 'Claude Code',
    tested: adapter,
    accountVariable: 'CLAUDE_CONFIG_DIR',
    compact: '/compact',
    compactTool: 'compact',
    usageBegins: true,
    modelIn: '_claude/model',
    tellsTokens: true,
    modes: Object.fromEntries(
      ['default', 'acceptEdits', 'plan', 'auto'].map((mode) => [mode, ['mode', mode] as const]),
    ),
    capabilities: {
      ...{ compact: true, usage: true, tellsCost: true },
      ...{ tellsPrompt: true, goesOnAfterNo: true, tellsModel: true },
    },
  },
  opencode: {
    ...nothing,
    title: 'opencode',
    tested: opencode.tested,
    accountVariable: 'XDG_DATA_HOME',
    compact: '/compact',
    capabilities: { usage: true, tellsModel: true },
  },
};

/** The names by which the configuration may say that an agent is like one of these. */
export const likenesses: readonly string[] = Object.keys(table);

/** `name`: what the configuration says that it is like, or the name of its program. */
export const knownAs = (name: string): Known => (Object.hasOwn(table, name) && table[name]) || nothing;
