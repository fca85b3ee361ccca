// Agents by the Agent Client Protocol for the conformance suites: what the configuration says of one, its private home,
// and its stand-in model.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SessionView } from '../../src/protocol/session.ts';
import { configuredCard } from '../../src/providers/acp/configured.ts';
import type { ProviderUnderTest, Setup } from '../conformance/provider/suite.ts';
import type { ModelServer } from '../model/server.ts';
import type { CrashedAgent } from './crash-suite.ts';

interface Home {
  env: Record<string, string>;
  cwd: string;
}

interface Said {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
}

export interface AcpAgent<H extends Home> {
  readonly name: string;
  readonly like: string;
  readonly command: string;
  /** What the configuration says of it, so that it does not ask, and so that it does. */
  readonly trusting: (home: H) => Said;
  readonly asking: (home: H) => Said;
  readonly model: () => Promise<ModelServer>;
  readonly home: (root: string, modelUrl: string) => H;
  readonly taken: (home: H, session: SessionView) => string[];
  readonly heavy?: boolean;
}

export const configOf = (
  { name, command, like }: { name: string; command: string; like: string },
  { args = [], env = {} }: Said,
) => ({ agents: { [name]: { command, like, args: [...args], env } } });

export function acpUnderTest<H extends Home>(agent: AcpAgent<H>): ProviderUnderTest {
  const { name, command, like } = agent;
  const homes = new Map<string, H>();
  return {
    name,
    capabilities: configuredCard(name, { command, like }).capabilities,
    async setup(): Promise<Setup> {
      const root = mkdtempSync(join(tmpdir(), `sm-${name}-`));
      const model = await agent.model();
      const home = agent.home(root, model.url);
      homes.set(home.cwd, home);
      const dispose = async () => {
        await model.close();
        rmSync(root, { recursive: true, force: true, maxRetries: 5 });
      };
      const modelAnswers = (message: string) =>
        model.waitForRequest(({ prompt }) => prompt.includes(`#${message}:`));
      return {
        config: configOf(agent, agent.trusting(home)),
        agentEnv: home.env,
        workingDir: home.cwd,
        modelAnswers,
        dispose,
      };
    },
    asking(setup) {
      const home = homes.get(setup.workingDir as string) as H;
      return { ...setup, config: configOf(agent, agent.asking(home)) };
    },
    taken: (session) => agent.taken(homes.get(session.working_dir) as H, session),
    heavy: agent.heavy ?? false,
  };
}

/** The same for the crash suite. */
export function crashedAcp<H extends Home>(agent: AcpAgent<H>): CrashedAgent {
  const { name, command, like, model } = agent;
  const { midTurn } = configuredCard(name, { command, like }).capabilities;
  // What the homes differ in, no configuration for those that do not ask names.
  const config = configOf(agent, agent.trusting({ env: {}, cwd: '' } as H));
  return { name, config, midTurn, model, home: agent.home };
}
