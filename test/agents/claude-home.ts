// A private home for the real Claude Code: its own configuration, a dummy key that only the stand-in model
// accepts, and an environment in which nothing of the developer's own setup can be read or changed.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface ClaudeHome {
  /** The whole environment to launch with; nothing else may be inherited. */
  env: Record<string, string>;
  cwd: string;
  configDir: string;
}

export interface HomeOptions {
  /** The directory the agent works in; `dir/work` unless given. */
  cwd?: string;
  /** Without trust, the agent asks at start whether the directory is trusted. */
  trusted?: boolean;
  /** Without approval, the agent asks at start whether the key from the environment may be used. */
  keyApproved?: boolean;
  /** A person's own login stands behind it instead of a key: its limits are told. */
  subscription?: boolean;
  /** Without onboarding, the agent wants to be set up first. */
  onboarded?: boolean;
}

const dummyKey = 'sk-ant-dummy-000000000000000000000000';

const dummyToken = 'sk-ant-oat01-dummy-00000000000000000000';

export function prepareClaudeHome(dir: string, modelUrl: string, options: HomeOptions = {}): ClaudeHome {
  const {
    cwd = join(dir, 'work'),
    trusted = true,
    keyApproved = true,
    onboarded = true,
    subscription = false,
  } = options;
  const [home, configDir, runDir] = ['home', 'config', 'run'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, configDir, cwd]) mkdirSync(path, { recursive: true });
  mkdirSync(runDir, { recursive: true, mode: 0o700 });

  const config = {
    ...(onboarded && { hasCompletedOnboarding: true }),
    bypassPermissionsModeAccepted: true,
    // The agent remembers a key by its last 20 characters.
    ...(keyApproved && { customApiKeyResponses: { approved: [dummyKey.slice(-20)] } }),
    ...(trusted && { projects: { [cwd]: { hasTrustDialogAccepted: true } } }),
  };
  writeFileSync(join(configDir, '.claude.json'), JSON.stringify(config));

  const env = {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    CLAUDE_CONFIG_DIR: configDir,
    CLAUDE_CODE_TMPDIR: runDir,
    XDG_RUNTIME_DIR: runDir,
    ANTHROPIC_BASE_URL: modelUrl,
    ...(subscription ? { CLAUDE_CODE_OAUTH_TOKEN: dummyToken } : { ANTHROPIC_API_KEY: dummyKey }),
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    // Root may not skip permissions outside a sandbox, and test machines run as root.
    IS_SANDBOX: '1',
  };
  return { env, cwd, configDir };
}
