// The scripted agent: our own stand-in with Claude Code's semantics, for the demo and the tests.
import { join } from 'node:path';
import type { Provider } from '../../ports/provider.ts';
import { type ClaudeOptions, claudeProvider } from '../claude/provider.ts';

export function scriptedProvider(
  options: Pick<ClaudeOptions, 'args' | 'hooksDir' | 'sessionDir' | 'answerWaitSeconds'> & { dist: string },
): Provider {
  return claudeProvider({
    name: 'scripted',
    command: process.execPath,
    args: [join(options.dist, 'scripted-agent.cjs'), ...options.args],
    env: {},
    defaultModel: null,
    hooksDir: options.hooksDir,
    sessionDir: options.sessionDir,
    answerWaitSeconds: options.answerWaitSeconds,
  });
}
