// A session that is asked for: everything that can be wrong with it is found before anything is changed.

import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Refusal } from '../domain/core/input.ts';
import type { Sandbox } from '../domain/core/options.ts';
import { invalid } from '../domain/core/refusal.ts';
import type { ReviewTarget } from '../domain/core/review.ts';
import type { Member, Origin, Transcript } from '../domain/core/session.ts';
import type { Worktree } from '../domain/core/worktree.ts';
import { faultOfTags } from '../domain/life/tags.ts';
import type { Profile } from '../ports/profile.ts';
import type { Provider } from '../ports/provider.ts';
import type { WorktreeRequest } from '../ports/worktrees.ts';
import type { WorktreeBody } from '../protocol/worktree.ts';
import { beyondParent } from './boxed.ts';
import type { Requester } from './env.ts';
import { checkText } from './messages.ts';
import { profileNamed, withProfile } from './profiles.ts';
import type { Service } from './service.ts';
import { faultOf, inherited, nothingWanted, type WantedOptions } from './session-options.ts';

export interface NewSession {
  /** Null: that of the profile, else `otherwise`. */
  readonly provider: string | null;
  readonly otherwise: string;
  readonly workingDir: string;
  readonly name: string | null;
  readonly model: string | null;
  readonly options?: WantedOptions;
  readonly parent: Requester | null;
  /** The parent itself asks, from its own shell. */
  readonly fromParent: boolean;
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly prompt: string | null;
  /** It gets a worktree of its own; null in it: as the plan decides. False: none; undefined: as the profile says. */
  readonly worktree?: Pick<WorktreeRequest, 'branch' | 'base' | 'setup'> | false | undefined;
  readonly member?: Member | undefined;
  /** It goes on with this conversation, which nobody has open. */
  readonly adopts?: { readonly providerId: string; readonly transcript: Transcript };
  /** It begins with a copy of that conversation; its options are those of that session, under the same profile. */
  readonly copyOf?: { readonly origin: Origin; readonly profile: string | null };
  /** Besides those of the profile. */
  readonly tags?: readonly string[] | undefined;
  /** How it and its first message are called; left out: by chance. */
  readonly ids?: { readonly session: string; readonly message: string } | undefined;
  /** That of the session which it is a copy of. */
  readonly sandbox?: Sandbox | null;
  /** What the prompt stands for. */
  readonly review?: ReviewTarget;
}

export interface CheckedSession {
  readonly provider: Provider;
  readonly profile: Profile | null;
  /** With what the profile and the parent add to them. */
  readonly options: WantedOptions;
  readonly tags: readonly string[];
  /** Of whoever starts it, without what is the session's own. */
  readonly env: Readonly<Record<string, string>>;
}

export async function checkSession(
  service: Service,
  request: NewSession,
): Promise<CheckedSession | { readonly refusal: Refusal }> {
  const above = request.parent?.options?.sandbox;
  const beyond = request.parent && above ? beyondParent(request.parent, above, request) : null;
  if (beyond) return { refusal: beyond };
  const asked = withSandbox(request.options ?? nothingWanted, above != null || request.sandbox != null);
  const profile = asked.profile === null ? null : profileNamed(service, asked.profile);
  if (profile && 'refusal' in profile) return profile;
  const kind = request.provider ?? profile?.agent ?? request.otherwise;
  const provider = service.provider(kind);
  if (!provider) return wrong(`Unknown provider "${kind}" (known: ${service.providerNames.join(', ')}).`);
  if (profile?.agent && profile.agent !== kind)
    return wrong(`The profile ${asked.profile} is for ${profile.agent}, not for ${kind}.`);
  if (!isAbsolute(request.workingDir))
    return wrong(`The directory must be an absolute path, not ${request.workingDir}.`);
  const folder = await stat(request.workingDir).catch(() => null);
  if (!folder?.isDirectory())
    return wrong(`No directory ${request.workingDir}. Create it, or name another one.`);
  const badPrompt = request.prompt === null ? null : checkText(request.prompt);
  if (badPrompt) return { refusal: badPrompt };
  const wanted = profile ? withProfile(profile, asked, provider) : asked;
  const fault = await faultOf(service, provider, wanted);
  if (fault) return { refusal: fault };
  const unsafe = wanted.sandbox ? await service.sandboxes.fault() : null;
  if (unsafe !== null) return wrong(unsafe);
  const tags = [...(profile?.tags ?? []), ...(request.tags ?? [])];
  const badTags = faultOfTags(tags);
  if (badTags !== null) return wrong(badTags);
  const shell = request.env ? service.cleanEnv(request.env) : service.defaultEnv;
  const own = {
    ...(await inherited(service, request.fromParent ? request.parent : null, shell)),
    ...wanted.env,
  };
  const env = without(shell, Object.keys(own));
  const located = await provider.locate(own.PATH ?? env.PATH ?? service.defaultEnv.PATH ?? '');
  if ('missing' in located) return wrong(located.missing);
  return { provider, profile, options: { ...wanted, env: own }, tags, env };
}

const withSandbox = (options: WantedOptions, sandbox: boolean): WantedOptions => ({
  ...options,
  sandbox: options.sandbox || sandbox,
});

/** That of its parent, or of what it is a copy of: those were found out before anybody worked there. */
export async function sandboxOf(
  { sandboxes }: Service,
  { parent, sandbox, workingDir }: NewSession,
  wanted: WantedOptions,
  worktree: Worktree | null,
): Promise<Sandbox | null | { readonly refusal: Refusal }> {
  if (!wanted.sandbox) return null;
  const given = parent?.options?.sandbox ?? sandbox;
  if (given) return given;
  const found = await sandboxes.around({ workingDir, addDirs: wanted.addDirs, worktree });
  return 'fault' in found ? wrong(found.fault) : found;
}

/** What a session has of its own is not stored with the environment of whoever starts it. */
export const without = (
  env: Readonly<Record<string, string>>,
  own: readonly string[],
): Record<string, string> => Object.fromEntries(Object.entries(env).filter(([name]) => !own.includes(name)));
export const worktreeIn = ({ worktree }: WorktreeBody): NewSession['worktree'] =>
  worktree
    ? { branch: worktree.branch ?? null, base: worktree.base ?? null, setup: worktree.setup }
    : (worktree ?? undefined);

const wrong = (message: string): { readonly refusal: Refusal } => ({ refusal: invalid(message) });
