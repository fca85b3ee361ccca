// The providers that this daemon has: all that are registered.
import { join } from 'node:path';
import type { Provider } from '../ports/provider.ts';
import { cards } from '../providers/cards.ts';
import { loadProvider } from '../providers/load.ts';
import { agentConfig, type Config } from './config.ts';
import type { Paths } from './paths.ts';

export async function createProviders(config: Config, paths: Paths): Promise<Map<string, Provider>> {
  const providers = cards.map((card) => {
    const { default_model: defaultModel, ...said } = agentConfig(config, card);
    return loadProvider(card, {
      ...said,
      defaultModel,
      hooksDir: paths.hooks,
      dist: paths.dist,
      answerWaitSeconds: config.questions.wait_seconds,
      sessionDir: (session) => join(paths.sessions, session.id),
    });
  });
  return new Map((await Promise.all(providers)).map((provider) => [provider.name, provider]));
}
