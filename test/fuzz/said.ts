// Good lines to begin with, one of each kind that is read.

const json = (value: object) => JSON.stringify(value);
const conversation = {
  session_id: 's1',
  transcript_path: '/t/s1.jsonl',
  cwd: '/w',
  prompt_id: 'p1',
  turn_id: 'p1',
};
const hook = (hook_event_name: string, more: object = {}) =>
  json({ hook_event_name, ...conversation, ...more });
const bash = {
  tool_name: 'Bash',
  tool_use_id: 'u1',
  tool_input: { command: 'npm test', description: 'test' },
};

export const hooks: readonly string[] = [
  hook('SessionStart', { source: 'startup', model: 'm' }),
  hook('SessionStart', { source: 'clear' }),
  hook('SessionEnd', { reason: 'clear' }),
  hook('UserPromptSubmit', { prompt: '[sm] from the user #aaaaaaaa:\ndo it' }),
  hook('PreToolUse', bash),
  hook('PostToolUse', { ...bash, tool_response: { stdout: 'ok' } }),
  hook('PostToolUseFailure', { ...bash, error: 'no' }),
  hook('PermissionRequest', { tool_name: 'Edit', tool_input: { file_path: '/w/a.ts', old_string: 'a' } }),
  hook('PermissionRequest', { tool_name: 'WebFetch', tool_input: { url: 'https://example.com' } }),
  hook('Stop', { last_assistant_message: 'done', background_tasks: [{ id: 1 }] }),
  hook('StopFailure', { error: 'rate_limit', last_assistant_message: "You've hit your 5-hour limit" }),
  hook('PreCompact', { trigger: 'auto' }),
  hook('PostCompact', { trigger: 'manual' }),
  hook('Stop', { agent_id: 'inner', last_assistant_message: 'inner' }),
];

export const claudeStatus: readonly string[] = [
  json({
    ...conversation,
    version: '2.1.325',
    model: { id: 'm', display_name: 'M' },
    cost: { total_cost_usd: 0.25 },
    context_window: { used_percentage: 40, total_input_tokens: 80_000, context_window_size: 200_000 },
    rate_limits: {
      five_hour: { used_percentage: 62, resets_at: 1_794_866_687 },
      seven_day: { used_percentage: 41, resets_at: 1_794_966_687 },
    },
  }),
];

const say = (type: string, more: object = {}) => json({ type, session_id: 's1', uuid: 'u', ...more });
const system = (subtype: string, more: object = {}) => say('system', { subtype, ...more });
const usage = {
  input_tokens: 10,
  cache_read_input_tokens: 5,
  cache_creation_input_tokens: 1,
  output_tokens: 7,
};

export const claudeLines: readonly string[] = [
  system('init', { model: 'm', claude_code_version: '2.1.325', permissionMode: 'default', tools: [] }),
  system('status', { status: 'compacting' }),
  system('compact_boundary', { compact_metadata: { trigger: 'manual', pre_tokens: 100 } }),
  ...['queued', 'started', 'completed', 'cancelled'].map((state) =>
    say('command_lifecycle', { command_uuid: 'a', state }),
  ),
  ...['queued', 'started', 'completed'].map((state) =>
    say('command_lifecycle', { command_uuid: 'b', state }),
  ),
  say('user', { message: { role: 'user', content: 'do it' } }),
  say('user', {
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'u1', content: 'ok' }] },
  }),
  say('assistant', { message: { id: 'm1', model: 'm', content: [{ type: 'text', text: 'hello' }], usage } }),
  say('assistant', {
    message: {
      id: 'm2',
      model: 'm',
      content: [{ type: 'tool_use', id: 'u1', name: 'Bash', input: { command: 'x' } }],
      usage,
    },
  }),
  say('result', {
    subtype: 'success',
    is_error: false,
    terminal_reason: 'completed',
    result: 'bye',
    usage,
    total_cost_usd: 1,
  }),
  say('result', { subtype: 'error_during_execution', is_error: true, result: 'You have hit your limit' }),
  say('rate_limit_event', {
    rate_limit_info: { status: 'rejected', resetsAt: 1_794_866_687, rateLimitType: 'five_hour' },
  }),
  json({
    type: 'control_request',
    request_id: 'r1',
    request: { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 'u1', input: { command: 'rm x' } },
  }),
  json({ type: 'control_cancel_request', request_id: 'r1' }),
  json({ type: 'control_response', response: { subtype: 'success', request_id: 'q1', response: {} } }),
  json({ type: 'control_response', response: { subtype: 'error', request_id: 'q1', error: 'no' } }),
];

const tells = (method: string, params: object) => json({ method, params: { threadId: 't1', ...params } });
const item = (what: string, type: string, more: object = {}) =>
  tells(`item/${what}`, { turnId: 'a', item: { type, id: `${type}-1`, ...more } });

export const appServerLines: readonly string[] = [
  json({ id: 'start:1', result: { thread: { id: 't1', path: '/r.jsonl' }, model: 'm' } }),
  json({ id: 'clear:t1:3', result: { thread: { id: 't2', path: '/r.jsonl' }, model: 'm' } }),
  json({ id: 'turn:1', error: { message: 'no' } }),
  tells('turn/started', { turn: { id: 'a', status: 'inProgress' } }),
  item('started', 'userMessage', { content: [{ type: 'text', text: 'do it' }] }),
  item('started', 'agentMessage'),
  item('completed', 'agentMessage', { text: 'done' }),
  item('started', 'commandExecution', { command: 'npm test' }),
  item('completed', 'commandExecution', { command: 'npm test', exitCode: 0 }),
  item('started', 'fileChange', { changes: [{ path: '/w/a.ts' }] }),
  item('completed', 'contextCompaction'),
  item('started', 'enteredReviewMode', { review: 'r' }),
  item('completed', 'exitedReviewMode', { review: 'fine' }),
  tells('turn/completed', { turn: { id: 'a', status: 'completed', error: null } }),
  tells('turn/completed', { turn: { id: 'a', status: 'failed', error: { message: 'no' } } }),
  tells('turn/completed', { turn: { id: 'a', status: 'interrupted' } }),
  tells('thread/compacted', { turnId: 'a' }),
  tells('thread/tokenUsage/updated', {
    turnId: 'a',
    tokenUsage: {
      total: { inputTokens: 10, cachedInputTokens: 1, outputTokens: 2, totalTokens: 12 },
      last: { inputTokens: 10, cachedInputTokens: 1, outputTokens: 2, totalTokens: 12 },
      modelContextWindow: 95_000,
    },
  }),
  json({
    method: 'account/rateLimits/updated',
    params: {
      rateLimits: { primary: { usedPercent: 62, windowDurationMins: 300, resetsAt: 1_794_866_687 } },
    },
  }),
  json({
    id: 7,
    method: 'item/commandExecution/requestApproval',
    params: { threadId: 't1', turnId: 'a', itemId: 'i', command: 'rm' },
  }),
  json({
    id: 8,
    method: 'item/fileChange/requestApproval',
    params: { threadId: 't1', turnId: 'a', itemId: 'fileChange-1' },
  }),
  json({
    id: 9,
    method: 'item/tool/requestUserInput',
    params: { threadId: 't1', turnId: 'a', questions: [{ id: 'q', question: 'which?' }] },
  }),
  tells('serverRequest/resolved', { requestId: 7 }),
];
