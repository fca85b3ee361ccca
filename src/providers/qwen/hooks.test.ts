import { describe, expect, it } from 'vitest';
import { hookSettings, qwenCalls, qwenHookFacts } from './hooks.ts';
import { readQwen } from './reader.ts';

const hook = (hook_event_name: string, more: object) => ({
  session_id: 'c',
  prompt_id: 'c########0',
  hook_event_name,
  ...more,
});

describe("Qwen Code's hooks", () => {
  it('tell a prompt with its turn, and nothing after each batch of tools', () => {
    expect(qwenHookFacts(hook('UserPromptSubmit', { prompt: 'hi', transcript_path: '/t' }))).toEqual([
      { is: 'prompt-submitted', providerId: 'c', turnId: 'c########0', text: 'hi', transcriptPath: '/t' },
    ]);
    expect(qwenHookFacts(hook('UserPromptSubmit', { prompt: '' }))).toEqual([]);
  });

  it('tell the end of a turn, and how full the context is', () => {
    const end = {
      last_assistant_message: 'done',
      context_usage: 0.4,
      context_limit: 200_000,
      input_tokens: 80_000,
    };
    expect(qwenHookFacts(hook('Stop', end))).toMatchObject([
      { is: 'usage', usage: { percentage: 40, tokens: 80_000, windowSize: 200_000 } },
      { is: 'turn-ended', end: 'ended', turnId: 'c########0', lastWords: 'done' },
    ]);
  });

  it('a question waits for a rule only, since its dialog stands behind it', () => {
    const settings = JSON.stringify(hookSettings('/h'));
    expect(settings).toContain("sh '/h'/ask.sh 0");
  });

  it.each([
    ['run_shell_command', { command: 'make' }, { is: 'command', command: 'make' }],
    ['write_file', { file_path: '/a' }, { is: 'edit', paths: ['/a'] }],
    ['read_file', { absolute_path: '/a' }, { is: 'read', paths: ['/a'] }],
    ['web_fetch', { url: 'https://a', prompt: 'x' }, { is: 'fetch', url: 'https://a' }],
    ['todo_write', { todos: ['x'] }, { is: 'other', texts: ['x'] }],
  ])('say what %s would do', (tool_name, tool_input, does) => {
    expect(qwenCalls.read({ tool_name, tool_input, cwd: '/w' })).toEqual({
      tool: tool_name,
      does,
      cwd: '/w',
    });
  });
});

describe('what Qwen Code writes for us', () => {
  const asked = JSON.stringify({
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'can_use_tool', tool_name: 'run_shell_command', input: { command: 'make' } },
  });

  it('is ready once it says that it has begun', () => {
    const reader = readQwen();
    expect(reader.ready).toBe(false);
    reader.line('{"type":"system","subtype":"session_start"}');
    expect(reader.ready).toBe(true);
  });

  it('a dialog stands under the words of its hook until somebody has answered it', () => {
    const reader = readQwen();
    const subject = 'run_shell_command {"command":"make"}';
    expect(reader.line(asked)).toBe(null);
    expect([...reader.asked]).toEqual([['r', subject]]);
    const answer = { subtype: 'success', request_id: 'r', response: { allowed: true } };
    expect(reader.line(JSON.stringify({ type: 'control_response', response: answer }))).toBe(subject);
    expect(reader.asked.size).toBe(0);
  });

  it('an answer that it does not take ends nothing', () => {
    const reader = readQwen();
    const refused = { subtype: 'error', request_id: 'other', error: 'unknown request_id' };
    reader.line(asked);
    expect(reader.line(JSON.stringify({ type: 'control_response', response: refused }))).toBe(null);
    expect(reader.asked.size).toBe(1);
  });
});
