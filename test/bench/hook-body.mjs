// What an agent's hook says after a tool has run, in the size that it usually has.

export function postToolUse({ id, context }, cwd) {
  return {
    session_id: context.provider_id,
    transcript_path: `${cwd}/${context.provider_id}.jsonl`,
    cwd,
    prompt_id: `prompt-of-${id}`,
    permission_mode: 'default',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test -- --run src/engine', description: 'Run the tests of the engine' },
    tool_response: {
      stdout: `${' ✓ src/engine/lanes.test.ts (12 tests) 31ms\n'.repeat(20)}`,
      stderr: '',
      interrupted: false,
    },
    tool_use_id: 'toolu_01A09q90qw90lq917835lq9',
    duration_ms: 1204,
  };
}

/** The bytes of a request that posts it; %ID% is for the client to fill in. */
export const hookRequest = (body, headers) => postRequest('/hooks/agent', body, headers);

export function postRequest(path, body, headers = {}) {
  const text = JSON.stringify(body);
  const lines = Object.entries({
    host: 'localhost',
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
}

/** The arguments of a call that tells the daemon a fact about a turn of a session. */
export function hookFact({ id, context }, cwd, name, turn, more) {
  const body = {
    session_id: context.provider_id,
    transcript_path: `${cwd}/${context.provider_id}.jsonl`,
    cwd,
    prompt_id: turn,
    hook_event_name: name,
    ...more,
  };
  return ['POST', '/hooks/agent', body, { 'x-sm-session': id }];
}
