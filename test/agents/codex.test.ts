import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { card } from '../../src/providers/codex/card.ts';
import { comebackSuite } from '../conformance/provider/comeback.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { policySuite } from '../conformance/provider/policies.ts';
import { type ProviderUnderTest, providerSuite } from '../conformance/provider/suite.ts';
import { startResponsesServer } from '../model/responses.ts';
import { prepareCodexHome } from './codex-home.ts';
import { codexRollout } from './codex-rollout.ts';

const config = { codex: { command: process.env.SM_TEST_CODEX ?? '' } };

const underTest: ProviderUnderTest = {
  name: card.name,
  capabilities: card.capabilities,
  async setup() {
    const root = mkdtempSync(join(tmpdir(), 'sm-codex-'));
    const model = await startResponsesServer();
    const { env, cwd } = prepareCodexHome(root, model.url);
    const dispose = async () => {
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    };
    return { config, agentEnv: env, workingDir: cwd, dispose };
  },
  asking: (setup) => ({
    ...setup,
    config: {
      codex: { ...config.codex, args: ['--ask-for-approval', 'on-request', '--sandbox', 'read-only'] },
    },
  }),
  terminal: {
    composer: (draft = 'Ask Codex to do anything') => new RegExp(`^› ${draft}`, 'm'),
    question: /Would you like to run the following command\?/,
  },
  transcript: codexRollout,
};

providerSuite(underTest);
deliverySuite(underTest);
policySuite(underTest);
comebackSuite(underTest);
