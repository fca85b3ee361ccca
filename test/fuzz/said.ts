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
  hook('Stop', {
    context_usage: 0.4,
    context_limit: 200_000,
    input_tokens: 80_000,
    last_assistant_message: 'x',
  }),
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

/** What Qwen Code writes beside its terminal. */
export const qwenLines: readonly string[] = [
  json({ type: 'system', subtype: 'session_start', session_id: 'c', data: { version: '0.24.4' } }),
  json({
    type: 'user',
    session_id: 'c',
    message: { role: 'user', content: [{ type: 'text', text: 'do it' }] },
  }),
  json({
    type: 'control_request',
    request_id: 'r',
    request: { subtype: 'can_use_tool', tool_name: 'run_shell_command', input: { command: 'make' } },
  }),
  json({
    type: 'control_response',
    response: { subtype: 'success', request_id: 'r', response: { allowed: true } },
  }),
  json({
    type: 'control_response',
    response: { subtype: 'error', request_id: 'r', error: 'unknown request_id' },
  }),
];

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

const acp = (sessionUpdate: string, more: object = {}) =>
  json({
    jsonrpc: '2.0',
    method: 'session/update',
    params: { sessionId: 's1', update: { sessionUpdate, ...more } },
  });
const acpText = (who: string, text: string) =>
  acp(`${who}_chunk`, { content: { type: 'text', text }, messageId: 'm1' });
const acpTool = { toolCallId: 'c1', title: 'touch x', kind: 'execute', rawInput: { command: 'touch x' } };

export const acpLines: readonly string[] = [
  json({ method: 'sm/launched' }),
  json({
    jsonrpc: '2.0',
    id: 'hello:0',
    result: { protocolVersion: 1, agentCapabilities: { loadSession: true } },
  }),
  json({
    jsonrpc: '2.0',
    id: 'start:0',
    result: { sessionId: 's1', configOptions: [{ id: 'model', category: 'model', currentValue: 'm' }] },
  }),
  json({ jsonrpc: '2.0', id: 'resume:0', result: {} }),
  json({ jsonrpc: '2.0', id: 'clear:s1:a3', result: { sessionId: 's2' } }),
  acpText('user_message', 'do it'),
  acpText('agent_message', 'done'),
  acpText('agent_thought', 'hm'),
  acp('tool_call', { ...acpTool, status: 'pending' }),
  acp('tool_call_update', { toolCallId: 'c1', status: 'completed' }),
  acp('tool_call', {
    toolCallId: 'k',
    status: 'in_progress',
    _meta: { claudeCode: { toolName: 'compact' } },
  }),
  acp('plan', { entries: [] }),
  acp('usage_update', { used: 80_000, size: 200_000, cost: { amount: 0.5, currency: 'USD' } }),
  acp('compaction_update', { compactionId: 'k', status: 'in_progress' }),
  acp('compaction_update', { compactionId: 'k', status: 'completed' }),
  acp('config_option_update', { configOptions: [{ category: 'model', currentValue: 'n' }] }),
  json({
    jsonrpc: '2.0',
    id: 7,
    method: 'session/request_permission',
    params: {
      sessionId: 's1',
      toolCall: acpTool,
      options: [
        { optionId: 'y', kind: 'allow_once' },
        { optionId: 'n', kind: 'reject_once' },
      ],
    },
  }),
  json({ jsonrpc: '2.0', id: 8, method: 'fs/read_text_file', params: { path: '/x' } }),
  json({ jsonrpc: '2.0', id: 'prompt:a1', result: { stopReason: 'end_turn', usage: { inputTokens: 9 } } }),
  json({ jsonrpc: '2.0', id: 'prompt:a2', error: { code: -32603, message: 'no' } }),
];

const opencodeSays = (type: string, properties: object = {}) =>
  json({ type, properties: { sessionID: 'ses_1', ...properties } });
const info = (id: string, role: string, more: object = {}) =>
  opencodeSays('message.updated', { info: { id, role, ...more } });
const part = (type: string, messageID: string, more: object = {}) =>
  opencodeSays('message.part.updated', { part: { type, messageID, ...more } });

export const opencodeLines: readonly string[] = [
  json({ id: 'start:1', status: 200, body: { id: 'ses_1' } }),
  json({ id: 'windows:1', status: 200, body: { providers: [{ models: { m: { limit: { context: 9 } } } }] } }),
  json({ id: 'start:2', status: 500, body: { message: 'no' } }),
  opencodeSays('session.status', { status: { type: 'busy' } }),
  opencodeSays('session.idle'),
  opencodeSays('session.error', { error: { name: 'APIError', data: { message: 'limit' } } }),
  opencodeSays('session.compacted'),
  info('m1', 'user'),
  part('text', 'm1', { text: '[sm] from the user #aaaaaaaa:\ndo it' }),
  info('m2', 'assistant', { parentID: 'm1', time: { created: 1 } }),
  part('text', 'm2', { text: 'bye', time: { start: 1, end: 2 } }),
  part('tool', 'm2', { callID: 'c1', state: { status: 'running', input: { command: 'ls' } } }),
  part('tool', 'm2', { callID: 'c1', state: { status: 'completed' } }),
  info('m2', 'assistant', {
    ...{ parentID: 'm1', finish: 'stop', time: { created: 1, completed: 2 }, cost: 0.1 },
    tokens: { input: 5, output: 2, reasoning: 0, cache: { read: 1, write: 1 } },
  }),
  opencodeSays('permission.asked', {
    ...{ id: 'p1', permission: 'bash', patterns: ['rm x'], metadata: { command: 'rm x' } },
    tool: { callID: 'c1' },
  }),
  opencodeSays('permission.replied', { requestID: 'p1', reply: 'once' }),
];
