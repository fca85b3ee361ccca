// The scripted agent is Claude Code to whoever runs it, under a program of ours.
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { Environment, Provide } from '../../ports/provider.ts';
import { claudeProvider } from '../claude/provider.ts';
import { card } from './card.ts';

export const provide: Provide = (setup) =>
  claudeProvider(
    card,
    { ...setup, command: process.execPath, args: [join(setup.dist, 'scripted-agent.cjs'), ...setup.args] },
    folder,
  );

const folder = (env: Environment): string =>
  env.SCRIPTED_CONFIG_DIR || join(env.HOME || homedir(), '.scripted-agent');
