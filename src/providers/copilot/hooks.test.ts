import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { editTools } from '../claude/calls.ts';
import { copilotHookFacts, turnOf } from './hooks.ts';

const hook = (hook_event_name: string, more: object = {}) => ({
  ...{ hook_event_name, session_id: 'c1', timestamp: '2026-11-18T06:46:20.108Z', cwd: '/workspace' },
  ...more,
});

describe('the hooks of Copilot', () => {
  it('a prompt is told with the turn that it begins', () => {
    expect(copilotHookFacts(hook('UserPromptSubmit', { prompt: 'hello' }))).toEqual([
      {
        ...{ is: 'prompt-submitted', providerId: 'c1', turnId: 'prompt-1794984380108' },
        ...{ text: 'hello', transcriptPath: null },
      },
    ]);
  });

  it('a compaction is told when it begins', () => {
    expect(copilotHookFacts(hook('PreCompact', { trigger: 'manual' }))).toEqual([
      { is: 'compaction-began', providerId: 'c1', trigger: 'manual' },
    ]);
  });

  it('agents inside the agent are not heard', () => {
    const inner = { session_id: 'inner', agent_id: 'inner', parent_agent_id: 'c1', prompt: 'think' };
    expect(copilotHookFacts(hook('UserPromptSubmit', inner))).toEqual([]);
  });

  it('what is no time names no turn', () => {
    for (const wrong of [null, '', 'yesterday', Number.NaN, 1.5, {}]) expect(turnOf(wrong)).toBeNull();
    expect(turnOf(1794984380108)).toBe('prompt-1794984380108');
  });

  it('the hook before a tool asks about the tools that edit', () => {
    const file = join(import.meta.dirname, '../../../hooks/copilot/hooks.json');
    const { hooks } = JSON.parse(readFileSync(file, 'utf8'));
    expect(hooks.PreToolUse[0].bash.split('tool.sh" ')[1].split(' ')).toEqual(editTools);
    // The file of events tells the end of a turn only where a hook waits for it.
    expect(Object.keys(hooks)).toContain('Stop');
  });
});
