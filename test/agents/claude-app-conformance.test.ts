import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { card } from '../../src/providers/claude-app/card.ts';
import { claudeManners } from '../conformance/provider/claude-manners.ts';
import { comebackSuite } from '../conformance/provider/comeback.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { lockSuite } from '../conformance/provider/locks.ts';
import { policySuite } from '../conformance/provider/policies.ts';
import { type ProviderUnderTest, providerSuite } from '../conformance/provider/suite.ts';
import { startModelServer } from '../model/anthropic.ts';
import { prepareClaudeHome } from './claude-home.ts';

const command = process.env.SM_TEST_CLAUDE ?? '';
const claude = (args: string[]) => ({
  claude_app: { command, args, default_model: 'claude-sonnet-4-5-20250929' },
});

const underTest: ProviderUnderTest = {
  name: card.name,
  capabilities: card.capabilities,
  async setup() {
    const root = mkdtempSync(join(tmpdir(), 'sm-claude-app-'));
    const model = await startModelServer();
    const { env, cwd } = prepareClaudeHome(root, model.url);
    const dispose = async () => {
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    };
    const modelAnswers = (message: string) =>
      model.waitForRequest(({ prompt }) => prompt.includes(`#${message}:`));
    const config = claude(['--dangerously-skip-permissions']);
    return { config, agentEnv: env, workingDir: cwd, modelAnswers, dispose };
  },
  asking: (setup) => ({ ...setup, config: claude(['--permission-mode', 'manual']) }),
  // Without a terminal it does not write how long a turn took.
  transcript: { ...claudeManners.transcript, turnOver: '"type":"assistant"' },
};

providerSuite(underTest);
deliverySuite(underTest);
policySuite(underTest);
lockSuite(underTest);
comebackSuite(underTest);
