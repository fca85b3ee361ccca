import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { launchMark } from '../../headless/reader.ts';
import { readClaude } from './reader.ts';

const session_id = 's1';
const say = (type: string, more: object = {}) => JSON.stringify({ type, session_id, ...more });
const life = (command_uuid: string, state: string) => say('command_lifecycle', { command_uuid, state });
const system = (subtype: string, more: object = {}) => say('system', { subtype, ...more });
const init = system('init', { model: 'm', uuid: 'i', claude_code_version: '2.1.325' });
const speaks = (words: string, more: object = {}) =>
  say('assistant', { message: { model: 'm', content: [{ type: 'text', text: words }], ...more } });
const result = (more: object = {}) =>
  say('result', {
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    result: 'bye',
    ...more,
  });
const asks = (request_id: string, tool_use_id: string) =>
  JSON.stringify({
    type: 'control_request',
    request_id,
    request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id, input: { command: 'rm x' } },
  });

const texts: Record<string, string> = {
  a: '[sm] a',
  b: '[sm] b',
  c: '[sm] c',
  clear: '/clear',
  run: '/init',
};

function reading(...lines: string[]) {
  const reader = readClaude((id) => texts[id] ?? null);
  const told = lines.flatMap((line) => reader.line(line).told);
  return { reader, told, facts: told.map(({ fact }) => fact) };
}
const names = (...lines: string[]) => reading(...lines).facts.map(({ is }) => is);

describe('what Claude Code without a terminal says', () => {
  it('tells its tokens with each result, by model, and its limits in percent', () => {
    const used = { inputTokens: 5, outputTokens: 2, cacheReadInputTokens: 3, cacheCreationInputTokens: 1 };
    const windows = {
      five_hour: { utilization: 0.29, resetsAt: 60 },
      seven_day: { utilization: 1, resetsAt: 90 },
    };
    const { facts } = reading(
      life('a', 'started'),
      say('rate_limit_event', { rate_limit_info: { status: 'allowed', unifiedWindows: windows } }),
      say('rate_limit_event', { rate_limit_info: 'nonsense' }),
      result({ uuid: 'r1', model_usage_since_last_result: { big: used, small: {} } }),
    );
    expect(facts).toMatchObject([
      { is: 'prompt-submitted' },
      {
        is: 'limits',
        windows: [
          { name: '5h', used: 29, resetsAt: 60_000 },
          { name: 'week', used: 100, resetsAt: 90_000 },
        ],
      },
      { is: 'turn-ended' },
      { is: 'spent', meter: 'r1 big', tokens: { input: 5, output: 2, cacheRead: 3, cacheWrite: 1 } },
      { is: 'spent', meter: 'r1 small', tokens: { input: 0, output: 0 } },
    ]);
  });

  it('stands still at a limit that is used up, not at a server that is asked too fast', () => {
    const failed = (more: object) =>
      reading(
        life('a', 'started'),
        result({ is_error: true, terminal_reason: 'api_error', ...more }),
      ).facts.at(-1);
    expect(failed({ api_error: 'usage_limit_reached' })).toMatchObject({ limit: { resetsAt: null } });
    expect(failed({ api_error_status: 429, result: "You've hit your 5-hour limit" })).toHaveProperty('limit');
    expect(failed({ api_error_status: 429, result: 'Too many requests' })).not.toHaveProperty('limit');
  });

  it('begins a turn with the prompt that it started, under our id, and ends it with its last words', () => {
    const { facts, reader } = reading(
      life('a', 'queued'),
      life('a', 'started'),
      init,
      speaks('bye'),
      result(),
      life('a', 'completed'),
    );
    expect(facts).toMatchObject([
      { is: 'prompt-submitted', providerId: 's1', turnId: 'a', text: '[sm] a' },
      { is: 'said', turnId: 'a', text: 'bye' },
      { is: 'turn-ended', turnId: 'a', lastWords: 'bye', stillRuns: 0 },
    ]);
    expect(reader.atRest).toBe(true);
    expect(reader.settled()).toEqual(['a']);
    expect(reader.settled()).toEqual([]);
  });

  it('takes a text up in the turn that runs, or in the next, together with others that waited', () => {
    const during = [life('a', 'started'), life('b', 'queued')];
    expect(reading(...during, life('b', 'started')).facts.slice(1)).toMatchObject([
      { is: 'prompt-enqueued', text: '[sm] b' },
      { is: 'prompt-absorbed', turnId: 'a', text: '[sm] b' },
    ]);
    const after = [life('c', 'queued'), result(), life('b', 'started'), life('c', 'started'), result()];
    expect(reading(...during, ...after).facts.slice(3)).toMatchObject([
      { is: 'turn-ended', turnId: 'a' },
      { is: 'prompt-submitted', turnId: 'b', text: '[sm] b' },
      { is: 'prompt-absorbed', turnId: 'b', text: '[sm] c' },
      { is: 'turn-ended', turnId: 'b' },
    ]);
  });

  it.each([
    [
      { terminal_reason: 'aborted_streaming', is_error: true },
      { is: 'turn-ended', end: 'interrupted' },
    ],
    [
      { terminal_reason: 'aborted_tools', result: '' },
      { is: 'turn-ended', end: 'interrupted' },
    ],
    [
      { terminal_reason: 'api_error', is_error: true, result: 'no' },
      { is: 'turn-ended', end: 'failed', lastWords: 'no' },
    ],
    [{ terminal_reason: 'x', is_error: true, result: null, errors: ['a', 'b'] }, { lastWords: 'a; b' }],
  ])('ends a turn by its reason, whatever it calls a success: %j', (how, fact) => {
    expect(reading(life('a', 'started'), result(how)).facts.at(-1)).toMatchObject({ turnId: 'a', ...fact });
  });

  it('drops what waits when it is interrupted', () => {
    const lines = [life('a', 'started'), life('b', 'queued'), life('b', 'cancelled')];
    expect(names(...lines)).toEqual(['prompt-submitted', 'prompt-enqueued', 'prompts-dropped']);
  });

  it('does a command of its own without a turn, unless that makes the model speak', () => {
    const lines = [
      life('clear', 'queued'),
      life('clear', 'started'),
      init,
      result(),
      life('clear', 'completed'),
    ];
    expect(names(...lines)).toEqual([]);
    expect(reading(life('run', 'started'), init, speaks('well'), result()).facts).toMatchObject([
      { is: 'prompt-submitted', turnId: 'run', text: '/init' },
      { is: 'said' },
      { is: 'turn-ended', turnId: 'run' },
    ]);
  });

  it('begins a turn that nobody asked for, and says what still runs', () => {
    const { facts } = reading(system('background_tasks_changed', { tasks: [{}, {}] }), init, result());
    expect(facts).toMatchObject([
      { is: 'activity', turnId: 'i' },
      { is: 'turn-ended', turnId: 'i', stillRuns: 2 },
    ]);
  });

  it('asks one thing after the other, and goes on when that is answered, withdrawn or done', () => {
    const { told, reader } = reading(life('a', 'started'), asks('q1', 't1'), asks('q2', 't2'));
    expect(told.slice(1)).toMatchObject([
      {
        fact: { is: 'permission-asked', turnId: 'a', subject: 't1', text: 'Bash: rm x' },
        asked: 'q1',
        call: { tool: 'Bash', does: { is: 'command', command: 'rm x' } },
      },
    ]);
    const done = say('user', { message: { content: [{ type: 'tool_result', tool_use_id: 't1' }] } });
    expect(reader.line(done).told).toMatchObject([
      { fact: { is: 'activity', subject: 't1' } },
      { fact: { is: 'permission-asked', subject: 't2' }, asked: 'q2' },
    ]);
    expect(reader.line(system('session_state_changed', { state: 'running' })).told).toMatchObject([
      { fact: { is: 'activity', subject: 't2' } },
    ]);
    expect(reader.questions.size).toBe(0);
  });

  it('refuses what nobody here can answer', () => {
    const request = { type: 'control_request', request_id: 'r', request: { subtype: 'hook_callback' } };
    const { reader, told } = reading(JSON.stringify(request));
    expect(told).toEqual([]);
    expect(reader.unanswerable()).toEqual(['r']);
    expect(reader.atRest).toBe(true);
  });

  it('compacts by command or by itself, and is done with it at the latest with the turn', () => {
    const [on, off] = [system('status', { status: 'compacting' }), system('status', { status: null })];
    texts.compact = '/compact';
    expect(reading(life('compact', 'started'), on, off).facts).toMatchObject([
      { is: 'compaction-began', trigger: 'manual' },
      { is: 'compaction-ended' },
    ]);
    expect(names(life('a', 'started'), on, result())).toEqual([
      'prompt-submitted',
      'compaction-began',
      'compaction-ended',
      'turn-ended',
    ]);
  });

  it('says how full its context is, as soon as it is known how large that may be', () => {
    const usage = { usage: { input_tokens: 10_000, cache_read_input_tokens: 70_000 } };
    const ends = result({ modelUsage: { m: { contextWindow: 200_000 } }, total_cost_usd: 0.5 });
    const { facts, reader } = reading(life('a', 'started'), init, speaks('x', usage), ends);
    expect(facts.at(-1)).toMatchObject({
      is: 'usage',
      usage: { percentage: 40, tokens: 80_000, windowSize: 200_000, model: 'm', costUsd: 0.5 },
      agentVersion: '2.1.325',
    });
    expect(reader.wantsWindow).toBe(false);
    const answer = { subtype: 'success', request_id: 'r', response: { maxTokens: 100_000 } };
    const asked = reading(
      JSON.stringify({ type: 'control_response', response: answer }),
      life('a', 'started'),
      speaks('x', usage),
    );
    expect(asked.facts.at(-1)).toMatchObject({ is: 'usage', usage: { percentage: 80 } });
  });

  it('takes no notice of an agent inside it, nor of what the program says in the place of the model', () => {
    const inner = say('assistant', {
      parent_tool_use_id: 't',
      message: { content: [{ type: 'text', text: 'x' }] },
    });
    expect(names(life('a', 'started'), inner, speaks('error', { model: '<synthetic>' }))).toEqual([
      'prompt-submitted',
    ]);
  });

  it('starts anew with a new process', () => {
    const { reader } = reading(life('a', 'started'), asks('q', 't'), JSON.stringify({ method: launchMark }));
    expect(reader).toMatchObject({ atRest: true, busy: false });
  });

  it('lives through whatever is said', () => {
    const words = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(
        init,
        result(),
        asks('q', 't'),
        life('a', 'started'),
        life('b', 'queued'),
        life('a', 'completed'),
      ),
      fc
        .record(
          {
            type: fc.constantFrom(
              'command_lifecycle',
              'system',
              'assistant',
              'user',
              'result',
              'control_request',
            ),
            subtype: fc.constantFrom('init', 'status', 'session_state_changed', 'can_use_tool'),
            session_id: fc.constantFrom('s1', 's2'),
            message: fc.anything(),
            state: fc.anything(),
            command_uuid: fc.anything(),
            request: fc.anything(),
            request_id: fc.anything(),
            modelUsage: fc.anything(),
          },
          { requiredKeys: [] },
        )
        .map((each) => JSON.stringify(each)),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (lines) => {
        const { reader, facts } = reading(...lines);
        for (const fact of facts) expect(fact).toHaveProperty('providerId', expect.any(String));
        reader.line(JSON.stringify({ method: launchMark }));
        expect(reader.atRest).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
