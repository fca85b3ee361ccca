import { expect, test } from 'vitest';
import { cleanEnvironment, programEnvironment, shedForeign } from './environment.ts';
import { resolvePaths } from './paths.ts';

const env = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, 'x']));

test('an agent does not inherit what would make it believe that it runs in another terminal or agent', () => {
  const foreign = env(
    'TMUX TMUX_PANE TERM_PROGRAM TERM_PROGRAM_VERSION CLAUDECODE CLAUDE_CODE_ENTRYPOINT CLAUDE_CODE_EXECPATH ' +
      'CLAUDE_CODE_SSE_PORT CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_SESSION_ID CLAUDE_CODE_MESSAGING_SOCKET ' +
      'CLAUDE_SESSION_MANAGER_ID CLAUDE_PID AI_AGENT CODEX_CI CODEX_SESSION_ID CODEX_THREAD_ID CODEX_TOOL_CALL_ID ' +
      'CODEX_VERSION CODEX_SANDBOX CODEX_SANDBOX_NETWORK_DISABLED CODEX_APPLY_PATCH_X SM_HOME SM_SESSION_HOOKS ' +
      'NODE_CHANNEL_FD',
  );
  expect(cleanEnvironment(foreign)).toEqual({});
});

test("it inherits the rest, and what the user's own settings are", () => {
  const own = env(
    'PATH HOME TERM CLAUDE_CODE_USE_BEDROCK CLAUDE_CONFIG_DIR CODEX_HOME MY_TMUX TMUXINATOR AI_AGENTS SMALL',
  );
  expect(cleanEnvironment({ ...own, NOTHING: undefined })).toEqual(own);
});

test('a daemon that was started inside an agent does not pass that on, and keeps what is its own', () => {
  const own = env('PATH CLAUDE_CODE_USE_BEDROCK SM_HOME SM_CONFIG');
  const all = { ...own, ...env('TMUX TMUX_PANE CLAUDECODE CLAUDE_CODE_ENTRYPOINT CODEX_THREAD_ID') };
  shedForeign(all);
  expect(all).toEqual(own);
});

test('a program of the user has what a login has, and nothing else that the daemon was started with', () => {
  const paths = resolvePaths({ SM_HOME: '/state', SM_CONFIG: '/config.yaml' }, '/dist');
  const login = env('HOME LANG LC_ALL DBUS_SESSION_BUS_ADDRESS DISPLAY XDG_RUNTIME_DIR');
  const others = env('ANTHROPIC_API_KEY SM_CALLER SM_TOKEN CLAUDE_SESSION_MANAGER_ID TMUX NODE_OPTIONS');
  expect(programEnvironment(paths, { ...login, ...others, PATH: '/bin' })).toEqual({
    ...login,
    PATH: '/state/bin:/bin',
    SM_HOME: '/state',
    SM_CONFIG: '/config.yaml',
  });
});
