// Qwen Code for the conformance suites.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { card } from '../../src/providers/qwen/card.ts';
import type { ProviderUnderTest } from '../conformance/provider/suite.ts';
import { startChatServer } from '../model/chat.ts';
import { prepareQwenHome } from './qwen-home.ts';

const command = process.env.SM_TEST_QWEN ?? '';

export const qwenUnderTest = (window?: number): ProviderUnderTest => ({
  name: card.name,
  capabilities: card.capabilities,
  async setup() {
    const root = mkdtempSync(join(tmpdir(), 'sm-qwen-'));
    const model = await startChatServer();
    const { env, cwd } = prepareQwenHome(root, model.url, window);
    const dispose = async () => {
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    };
    const modelAnswers = (message: string) =>
      model.waitForRequest(({ prompt }) => prompt.includes(`#${message}:`));
    return { config: { qwen: { command } }, agentEnv: env, workingDir: cwd, modelAnswers, dispose };
  },
  asking: (setup) => ({ ...setup, config: { qwen: { command, args: ['--approval-mode', 'default'] } } }),
  transcript: {
    taken: (lines) =>
      lines.flatMap(({ type, message }) => (type === 'user' ? [message.parts[0].text as string] : [])),
    turnOver: '"type":"assistant"',
  },
  commandToCompact: card.commandTo.compact,
  heavy: true,
});
