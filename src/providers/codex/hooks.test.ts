import { describe, expect, it } from 'vitest';
import { codexArguments, toml } from './arguments.ts';
import { codexHookFacts } from './hooks.ts';

const hook = (name: string, more: object = {}) =>
  codexHookFacts({
    hook_event_name: name,
    session_id: 'thread',
    turn_id: 'turn',
    transcript_path: '/rollout',
    ...more,
  });

describe('what hooks of Codex say', () => {
  it('a start has its source, and a prompt its turn and its file', () => {
    expect(hook('SessionStart', { source: 'clear' })).toMatchObject([
      { is: 'agent-started', providerId: 'thread', source: 'clear', transcriptPath: '/rollout' },
    ]);
    expect(hook('UserPromptSubmit', { prompt: 'do it' })).toMatchObject([
      { is: 'prompt-submitted', turnId: 'turn', text: 'do it', transcriptPath: '/rollout' },
    ]);
  });

  it('an agent inside the agent is talking under its id: only its questions count', () => {
    expect(hook('UserPromptSubmit', { agent_id: 'inner', prompt: 'x' })).toEqual([]);
    expect(hook('SessionStart', { agent_id: 'inner' })).toEqual([]);
    const asked = hook('PermissionRequest', {
      agent_id: 'inner',
      tool_name: 'Bash',
      tool_input: { command: 'rm x', description: 'It is old.' },
    });
    expect(asked).toMatchObject([
      { is: 'permission-asked', turnId: null, subject: 'rm x', text: 'Bash: rm x\nIt is old.' },
    ]);
  });

  it('a Stop has the last words, but is not the end yet', () => {
    expect(hook('Stop', { last_assistant_message: 'all done' })).toEqual([
      { is: 'turn-closing', providerId: 'thread', turnId: 'turn', lastWords: 'all done' },
    ]);
  });

  it('what is not known says nothing', () => {
    expect(hook('PreToolUse')).toEqual([]);
    expect(codexHookFacts({ hook_event_name: 'SessionStart' })).toEqual([]);
  });
});

describe('the command line of Codex', () => {
  it('keeps out of the shared daemon, and trusts our hooks and no others', () => {
    const args = codexArguments('/hooks');
    expect(args[0]).toBe('--no-daemon');
    expect(args.join(' ')).not.toContain('bypass');
    expect(args).toContain(
      `hooks.PreCompact=[{"hooks" = [{"type" = "command", "command" = "sh '/hooks/hook.sh'", "timeout" = 10}]}]`,
    );
    const keys = args.at(-1)?.match(/config\.toml:\w+:0:0" = \{"trusted_hash" = "sha256:[0-9a-f]{64}"/g);
    expect(keys).toHaveLength(7);
  });

  it('writes values on one line', () => {
    expect(toml({ 'a b': ['"x"', 1] })).toBe(String.raw`{"a b" = ["\"x\"", 1]}`);
  });
});
