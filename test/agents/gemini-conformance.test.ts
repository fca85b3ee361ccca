import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { card } from '../../src/providers/gemini/card.ts';
import { deliverySuite } from '../conformance/provider/delivery.ts';
import { type ProviderUnderTest, providerSuite } from '../conformance/provider/suite.ts';
import { startGeminiServer } from '../model/gemini.ts';
import { prepareGeminiHome } from './gemini-home.ts';

const command = process.env.SM_TEST_GEMINI ?? '';
const config = { gemini: { command, args: ['--approval-mode', 'yolo'] } };

const underTest: ProviderUnderTest = {
  name: card.name,
  capabilities: card.capabilities,
  async setup() {
    const root = mkdtempSync(join(tmpdir(), 'sm-gemini-'));
    const model = await startGeminiServer();
    const { env, cwd } = prepareGeminiHome(root, model.url);
    const dispose = async () => {
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    };
    return { config, agentEnv: env, workingDir: cwd, dispose };
  },
  asking: (setup) => ({ ...setup, config: { gemini: { command, args: ['--approval-mode', 'default'] } } }),
  terminal: {
    composer: (draft = '  Type your message or @path/to/file') => new RegExp(`^ [>*] ${draft}`, 'm'),
    question: /Allow execution of/,
  },
  transcript: {
    taken: (lines) =>
      lines.flatMap(({ type, content }) =>
        type === 'user' && content.every((part: object) => 'text' in part)
          ? [content.map(({ text }: { text: string }) => text).join('')]
          : [],
      ),
    turnOver: '"type":"gemini"',
  },
  namesTurnLater: true,
  heavy: true,
};

// Its program is slow to start, and the suite starts dozens: for long runs.
describe.skipIf(process.env.SM_TEST_WHOLE_MATRIX !== '1')('in a long run', () => {
  providerSuite(underTest);
  deliverySuite(underTest);
});
