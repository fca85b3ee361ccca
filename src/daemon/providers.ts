// The providers that this daemon has: all that are registered, and those that the configuration names.
import { join } from 'node:path';
import type { Provider } from '../ports/provider.ts';
import { cards } from '../providers/cards.ts';
import { loadProvider } from '../providers/load.ts';
import { configuredCards } from './agents-config.ts';
import { agentConfig, type Config } from './config.ts';
import type { Paths } from './paths.ts';

export async function createProviders(config: Config, paths: Paths): Promise<Map<string, Provider>> {
  const providers = [...cards, ...configuredCards(config.agents)].map((card) => {
    const { command, args, env, default_model: defaultModel } = agentConfig(config, card);
    return loadProvider(card, {
      ...{ command, args, env },
      defaultModel,
      hooksDir: paths.hooks,
      dist: paths.dist,
      answerWaitSeconds: config.questions.wait_seconds,
      sessionDir: (session) => join(paths.sessions, session.id),
    });
  });
  return new Map((await Promise.all(providers)).map((provider) => [provider.name, provider]));
}
