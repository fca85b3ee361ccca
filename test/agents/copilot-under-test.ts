// Copilot for the conformance suites.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { card } from '../../src/providers/copilot/card.ts';
import type { ProviderUnderTest } from '../conformance/provider/suite.ts';
import { startChatServer } from '../model/chat.ts';
import { copilotProgram, type HomeOptions, prepareCopilotHome } from './copilot-home.ts';

const asking = { copilot: { command: copilotProgram } };
const trusting = { copilot: { ...asking.copilot, args: ['--allow-all'] } };

export const copilotUnderTest = (options?: HomeOptions): ProviderUnderTest => ({
  name: card.name,
  capabilities: card.capabilities,
  async setup() {
    const root = mkdtempSync(join(tmpdir(), 'sm-copilot-'));
    const model = await startChatServer();
    const { env, cwd } = prepareCopilotHome(root, model.url, options);
    const dispose = async () => {
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    };
    return { config: trusting, agentEnv: env, workingDir: cwd, dispose };
  },
  asking: (setup) => ({ ...setup, config: asking }),
  terminal: {
    composer: (draft = '') => new RegExp(`^❯.?${draft}`, 'm'),
    question: /Do you want to run this command\?/,
    interrupt: ['C-c'],
  },
  transcript: {
    taken: (lines) => lines.flatMap(({ type, data }) => (type === 'user.message' ? [data.content] : [])),
    turnOver: '"hookType":"agentStop","success"',
  },
  heavy: true,
});
