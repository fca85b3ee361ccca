// All that the doctor looks at, in the order in which it is told. A new check is a function and a line here.
import type { Paths } from '../daemon/paths.ts';
import { createProviders } from '../daemon/providers.ts';
import { isAgent } from '../providers/cards.ts';
import { checkAccess } from './access.ts';
import { checkAgents } from './agents.ts';
import type { Finding } from './check.ts';
import { checkInstalledHooks } from './installed-hooks.ts';
import type { Machine } from './machine.ts';
import { checkNotify } from './notify.ts';
import { checkPanes } from './panes.ts';
import { checkProfiles } from './profiles.ts';
import { checkCurl, checkHooks, checkLingering, checkNode, checkSandbox, checkTmux } from './programs.ts';
import { checkSessions } from './sessions.ts';
import { checkSetup } from './setup.ts';
import { checkConfig, checkDaemon, checkDatabase, checkHome, checkPort, checkSpool } from './state.ts';
import { checkTriggers } from './triggers.ts';

type Found = Finding | readonly Finding[] | null;
type Check = (machine: Machine) => Found | Promise<Found>;

const checks: readonly Check[] = [
  checkNode,
  checkTmux,
  checkCurl,
  checkHooks,
  checkSandbox,
  checkAgents,
  checkHome,
  ({ configuration }) => configuration,
  checkProfiles,
  checkTriggers,
  checkNotify,
  checkDatabase,
  ({ daemon }) => daemon,
  checkPort,
  checkAccess,
  checkSpool,
  checkPanes,
  checkSessions,
  checkInstalledHooks,
  checkSetup,
  checkLingering,
];

export async function examine(paths: Paths): Promise<Finding[]> {
  const machine = await lookAt(paths);
  const found = await Promise.all(checks.map((check) => check(machine)));
  return found.flatMap((each) => each ?? []);
}

async function lookAt(paths: Paths): Promise<Machine> {
  const { finding: configuration, config } = checkConfig(paths);
  const { finding: daemon, health } = await checkDaemon(paths);
  const providers = config ? [...(await createProviders(config, paths)).values()] : [];
  return { paths, configuration, config, daemon, health, agents: providers.filter(isAgent) };
}
