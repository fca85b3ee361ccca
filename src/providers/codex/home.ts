// Where Codex keeps the things of its user.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '../../ports/provider.ts';

export const codexHome = (env: Environment): string =>
  env.CODEX_HOME || join(env.HOME || homedir(), '.codex');
