import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { card } from '../../src/providers/claude/card.ts';
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
  claude: { command, args, default_model: 'claude-sonnet-4-5-20250929' },
});

const underTest: ProviderUnderTest = {
  name: card.name,
  capabilities: card.capabilities,
  async setup() {
    const root = mkdtempSync(join(tmpdir(), 'sm-claude-'));
    const model = await startModelServer();
    const { env, cwd } = prepareClaudeHome(root, model.url);
    const dispose = async () => {
      await model.close();
      rmSync(root, { recursive: true, force: true });
    };
    return { config: claude(['--dangerously-skip-permissions']), agentEnv: env, workingDir: cwd, dispose };
  },
  asking: (setup) => ({ ...setup, config: claude(['--permission-mode', 'manual']) }),
  ...claudeManners,
};

providerSuite(underTest);
deliverySuite(underTest);
policySuite(underTest);
lockSuite(underTest);
comebackSuite(underTest);
