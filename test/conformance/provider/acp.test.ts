import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configuredCard } from '../../../src/providers/acp/configured.ts';
import { jsonLines } from '../../support/json-lines.ts';
import { comebackSuite } from './comeback.ts';
import { deliverySuite } from './delivery.ts';
import { policySuite } from './policies.ts';
import { type ProviderUnderTest, providerSuite, type Setup } from './suite.ts';

const command = join(import.meta.dirname, '../../support/fake-acp-agent.mjs');
const name = 'fake-agent';
const states = new Map<string, string>();

const underTest: ProviderUnderTest = {
  name,
  capabilities: configuredCard(name, { command, like: null }).capabilities,
  async setup(): Promise<Setup> {
    const root = mkdtempSync(join(tmpdir(), 'sm-fake-acp-'));
    const agentEnv = { PATH: process.env.PATH ?? '', HOME: root, FAKE_ACP_STATE: join(root, 'state') };
    states.set(root, agentEnv.FAKE_ACP_STATE);
    return {
      config: { agents: { [name]: { command } } },
      agentEnv,
      workingDir: root,
      // What it is given, it answers at once.
      modelAnswers: async () => undefined,
      dispose: async () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
    };
  },
  asking: (setup) => ({ ...setup, config: { agents: { [name]: { command, args: ['--ask'] } } } }),
  taken: ({ working_dir, context }) =>
    jsonLines(join(states.get(working_dir) as string, `${context.provider_id}.jsonl`)).flatMap(
      ({ role, text }) => (role === 'user' ? [text] : []),
    ),
};

providerSuite(underTest);
deliverySuite(underTest);
policySuite(underTest);
comebackSuite(underTest);
