// The agents that sm runs: where their programs are, and whether the suites have run on their versions.
import type { Provider } from '../ports/provider.ts';
import { installing, sectionOf } from '../providers/cards.ts';
import { askVersion } from '../providers/versions.ts';
import { editing, type Finding, ok, warn } from './check.ts';
import type { Machine } from './machine.ts';

export async function checkAgents({ agents, paths }: Pick<Machine, 'agents' | 'paths'>): Promise<Finding[]> {
  const found = await Promise.all(agents.map((agent) => checkAgent(agent, paths.config)));
  // Nobody has all of them. Without any there is nothing to run, which one warning says.
  const some = found.some(({ missing }) => !missing);
  return found.map(({ finding, missing }, at) =>
    missing && (some || at > 0) ? ok(finding.name, `not installed; to add it: ${finding.repair}`) : finding,
  );
}

async function checkAgent(agent: Provider, config: string): Promise<{ finding: Finding; missing: boolean }> {
  const { name, tested, locate } = agent;
  const located = await locate(process.env.PATH ?? '');
  if ('missing' in located) {
    const repair = tested ? installing(tested) : editing(config);
    const advice = `Install it, or set ${sectionOf(agent)}.command in the configuration.`;
    return { finding: warn(name, 'not found', { advice, repair }), missing: true };
  }
  if (!tested) return { finding: ok(name, located.found), missing: false };
  const version = await askVersion(located.versionCommand, process.env);
  const finding =
    version === tested.version
      ? ok(name, `${version} (${located.found})`)
      : warn(name, `${version ?? 'version unknown'} (${located.found})`, {
          advice: `Tested with ${tested.version}. Other versions usually work; if something looks odd, try that one.`,
          repair: installing(tested, tested.version),
        });
  return { finding, missing: false };
}
