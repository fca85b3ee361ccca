import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { card } from '../../src/providers/codex-app/card.ts';
import { comebackSuite } from '../conformance/provider/comeback.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { policySuite } from '../conformance/provider/policies.ts';
import { type ProviderUnderTest, providerSuite } from '../conformance/provider/suite.ts';
import { startResponsesServer } from '../model/responses.ts';
import { prepareCodexHome } from './codex-home.ts';
import { codexRollout } from './codex-rollout.ts';

const config = { codex_app: { command: process.env.SM_TEST_CODEX ?? '' } };
const asks = ['-c', 'approval_policy="on-request"', '-c', 'sandbox_mode="read-only"'];

const underTest: ProviderUnderTest = {
  name: card.name,
  capabilities: card.capabilities,
  async setup() {
    const root = mkdtempSync(join(tmpdir(), 'sm-codex-app-'));
    const model = await startResponsesServer();
    const { env, cwd } = prepareCodexHome(root, model.url);
    const dispose = async () => {
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    };
    const modelAnswers = (message: string) =>
      model.waitForRequest(({ prompt }) => prompt.includes(`#${message}:`));
    return { config, agentEnv: env, workingDir: cwd, modelAnswers, dispose };
  },
  asking: (setup) => ({ ...setup, config: { codex_app: { ...config.codex_app, args: asks } } }),
  transcript: codexRollout,
};

providerSuite(underTest);
deliverySuite(underTest);
policySuite(underTest);
comebackSuite(underTest);
