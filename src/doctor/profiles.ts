// Whether a session could be started with each profile of the configuration.
import { cleanEnvironment } from '../daemon/environment.ts';
import { cardOf } from '../providers/cards.ts';
import { faultOfProfile } from '../server/profiles.ts';
import { editing, type Finding, ok, warn } from './check.ts';
import type { Machine } from './machine.ts';

export async function checkProfiles({ config, paths }: Machine): Promise<Finding | null> {
  const profiles = Object.entries(config?.profiles ?? {});
  if (profiles.length === 0) return null;
  const faults = await Promise.all(
    profiles.map(async ([name, profile]) => {
      const card = cardOf(profile.agent ?? 'claude');
      const fault = card && (await faultOfProfile({ cleanEnv: cleanEnvironment }, profile, card));
      return fault ? [`${name}: ${fault}`] : [];
    }),
  );
  const found = faults.flat();
  if (found.length === 0) return ok('profiles', profiles.map(([name]) => name).join(', '));
  return warn('profiles', found.join('\n'), {
    advice: 'No session can be started with these. Correct them in the configuration.',
    repair: editing(paths.config),
  });
}
