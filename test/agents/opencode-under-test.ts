// opencode for the conformance suites, with its terminal and without.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Card } from '../../src/ports/provider.ts';
import { sectionOf } from '../../src/providers/cards.ts';
import type { ProviderUnderTest } from '../conformance/provider/suite.ts';
import { startChatServer } from '../model/chat.ts';
import { type OpencodeHome, prepareOpencodeHome, takenBy } from './opencode-home.ts';

export function opencodeUnderTest(card: Card): ProviderUnderTest {
  const config = { [sectionOf(card)]: { command: process.env.SM_TEST_OPENCODE ?? '' } };
  const homes = new Map<string, OpencodeHome>();
  return {
    name: card.name,
    capabilities: card.capabilities,
    async setup() {
      const root = mkdtempSync(join(tmpdir(), 'sm-opencode-'));
      const model = await startChatServer();
      const home = prepareOpencodeHome(root, model.url);
      homes.set(home.cwd, home);
      const dispose = async () => {
        await model.close();
        rmSync(root, { recursive: true, force: true, maxRetries: 5 });
      };
      const modelAnswers = (message: string) =>
        model.waitForRequest(({ prompt }) => prompt.includes(`#${message}:`));
      return { config, agentEnv: home.env, workingDir: home.cwd, modelAnswers, dispose };
    },
    asking: ({ agentEnv, ...setup }) => {
      const permission = JSON.stringify({ permission: { '*': 'allow', bash: 'ask' } });
      return { ...setup, agentEnv: { ...agentEnv, OPENCODE_CONFIG_CONTENT: permission } };
    },
    taken: ({ working_dir, context }) =>
      takenBy(homes.get(working_dir) as OpencodeHome, context.provider_id as string),
    heavy: true,
  };
}
