// A private home for the real Codex: its own configuration, a dummy key that only the stand-in model accepts, and an
// environment in which nothing of the developer's own setup can be read or changed.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CodexHome {
  /** The whole environment to launch with; nothing else may be inherited. */
  env: Record<string, string>;
  cwd: string;
  codexHome: string;
}

export interface HomeOptions {
  /** Without trust, the agent asks at start whether the directory is trusted. */
  trusted?: boolean;
}

export function prepareCodexHome(dir: string, modelUrl: string, options: HomeOptions = {}): CodexHome {
  const { trusted = true } = options;
  const [home, codexHome, cwd] = ['home', 'codex', 'work'].map((name) => join(dir, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [home, codexHome, cwd]) mkdirSync(path, { recursive: true });
  // As most working directories are: it makes a difference to its dialogs.
  execFileSync('git', ['init', '-q', cwd]);
  writeFileSync(join(codexHome, 'config.toml'), config(modelUrl, trusted ? cwd : null));

  const env = {
    PATH: process.env.PATH ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SHELL: '/bin/sh',
    CODEX_HOME: codexHome,
    STANDIN_KEY: 'dummy',
  };
  return { env, cwd, codexHome };
}

// A window of 200,000 tokens, so that percentages can be foretold: the agent leaves a twentieth of it unused; everything that would ask the network is off.
const config = (modelUrl: string, trusted: string | null) => `
model = "standin-model"
model_provider = "standin"
model_context_window = 210527
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[model_providers.standin]
name = "standin"
base_url = "${modelUrl}/v1"
env_key = "STANDIN_KEY"
wire_api = "responses"
${trusted === null ? '' : `[projects."${trusted}"]\ntrust_level = "trusted"`}
[features]
plugins = false
remote_plugin = false
apps = false
[tui]
show_tooltips = false
`;
