// Where Claude Code keeps the settings of its user.
import { homedir } from 'node:os';
import { join } from 'node:path';

export const configDir = (env: Readonly<Record<string, string | undefined>>): string =>
  env.CLAUDE_CONFIG_DIR || join(env.HOME || homedir(), '.claude');
