// Profiles: what a session is started with when one is named, beneath what is asked for besides.

import { stat } from 'node:fs/promises';
import type { Refusal } from '../domain/core/input.ts';
import { invalid } from '../domain/core/refusal.ts';
import type { Profile } from '../ports/profile.ts';
import type { Card } from '../ports/provider.ts';
import type { ProfileView } from '../protocol/profile.ts';
import type { Service } from './service.ts';
import { faultOf, nothingWanted, type WantedOptions } from './session-options.ts';

/** Thrown where the configuration cannot be read: what is wrong, with lines. */
type Profiles = () => Readonly<Record<string, Profile>>;

export function profileNamed(
  { profiles }: { readonly profiles: Profiles },
  name: string,
): Profile | { readonly refusal: Refusal } {
  let all: Readonly<Record<string, Profile>>;
  try {
    all = profiles();
  } catch (error) {
    return wrong(`The profiles cannot be read. Fix the configuration:\n${(error as Error).message}`);
  }
  const found = Object.hasOwn(all, name) ? all[name] : undefined;
  if (found) return found;
  const known = Object.keys(all).join(', ') || 'none; write them under profiles: in the configuration';
  return wrong(`No profile "${name}" (known: ${known}).`);
}

/** What is asked for comes after what the profile says, and so counts. */
export function withProfile(profile: Profile, wanted: WantedOptions, { options }: Card): WantedOptions {
  return {
    ...wanted,
    permissionMode: wanted.permissionMode ?? profile.permission_mode,
    addDirs: [...profile.add_dirs, ...wanted.addDirs],
    mcpConfigs: [...profile.mcp_configs, ...wanted.mcpConfigs],
    args: [...profile.args, ...wanted.args],
    sandbox: profile.sandbox || wanted.sandbox,
    env: {
      ...profile.env,
      ...(profile.account !== null &&
        options.accountVariable !== null && { [options.accountVariable]: profile.account }),
      ...wanted.env,
    },
  };
}

/** Why a session could not be started with it; null: it could. */
export async function faultOfProfile(
  service: Pick<Service, 'cleanEnv'>,
  profile: Profile,
  card: Card,
): Promise<string | null> {
  if (profile.account !== null && card.options.accountVariable === null)
    return `sm knows no variable for the account of ${card.name}: set it by env`;
  if (profile.account !== null && !(await stat(profile.account).catch(() => null))?.isDirectory())
    return `no account directory ${profile.account}`;
  const fault = await faultOf(service, card, withProfile(profile, nothingWanted, card));
  return fault?.message ?? null;
}

export const profileView = (name: string, profile: Profile, fault: string | null): ProfileView => {
  const { env, add_dirs, mcp_configs, args, tags, ...rest } = profile;
  return {
    name,
    ...rest,
    add_dirs: [...add_dirs],
    mcp_configs: [...mcp_configs],
    args: [...args],
    tags: [...tags],
    variables: Object.keys(env).sort(),
    fault,
  };
};

const wrong = (message: string): { readonly refusal: Refusal } => ({ refusal: invalid(message) });
