// Starts a session, or one that has ended once more. Everything that can be wrong is found before anything is changed.
import { execFile } from 'node:child_process';
import { stat } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import type { Refusal } from '../domain/core/input.ts';
import { quietly } from '../domain/core/message.ts';
import type { Actor } from '../domain/core/names.ts';
import type { ReviewTarget } from '../domain/core/review.ts';
import type { Session, State } from '../domain/core/session.ts';
import type { Provider } from '../ports/provider.ts';
import type { WorktreeRequest } from '../ports/worktrees.ts';
import type { WorktreeBody } from '../protocol/worktree.ts';
import { checkText, type NewMessage, newMessage } from './messages.ts';
import { profileNamed, withProfile } from './profiles.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';
import {
  faultOf,
  inherited,
  keptOptions,
  nothingWanted,
  variablesAgain,
  type WantedOptions,
} from './session-options.ts';

export interface NewSession {
  /** Null: that of the profile, else `otherwise`. */
  readonly provider: string | null;
  readonly otherwise: string;
  readonly workingDir: string;
  readonly name: string | null;
  readonly model: string | null;
  readonly options?: WantedOptions;
  readonly parent: Session | null;
  /** The parent itself asks, from its own shell. */
  readonly fromParent: boolean;
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly prompt: string | null;
  /** It gets a worktree of its own; null in it: as the plan decides. */
  readonly worktree?: Pick<WorktreeRequest, 'branch' | 'base' | 'setup'> | undefined;
  /** What the prompt stands for. */
  readonly review?: ReviewTarget;
}

type Created =
  | { readonly session: Session; readonly messageId: string | null }
  | { readonly refusal: Refusal };

/** Everything that can be wrong is found before anything is changed. */
export async function createSession(service: Service, request: NewSession): Promise<Created> {
  const { engine } = service;
  const asked = request.options ?? nothingWanted;
  const profile = asked.profile === null ? null : profileNamed(service, asked.profile);
  if (profile && 'refusal' in profile) return profile;
  const kind = request.provider ?? profile?.agent ?? request.otherwise;
  const provider = service.provider(kind);
  if (!provider) return invalid(`Unknown provider "${kind}" (known: ${service.providerNames.join(', ')}).`);
  if (profile?.agent && profile.agent !== kind)
    return invalid(`The profile ${asked.profile} is for ${profile.agent}, not for ${kind}.`);
  if (!isAbsolute(request.workingDir))
    return invalid(`The directory must be an absolute path, not ${request.workingDir}.`);
  const folder = await stat(request.workingDir).catch(() => null);
  if (!folder?.isDirectory())
    return invalid(`No directory ${request.workingDir}. Create it, or name another one.`);
  const wanted = profile ? withProfile(profile, asked, provider) : asked;
  const fault = await faultOf(service, provider, wanted);
  if (fault) return { refusal: fault };
  const shell = request.env ? service.cleanEnv(request.env) : service.defaultEnv;
  const own = {
    ...(await inherited(service, request.fromParent ? request.parent : null, shell)),
    ...wanted.env,
  };
  const env = without(shell, Object.keys(own));
  const located = await provider.locate(own.PATH ?? env.PATH ?? service.defaultEnv.PATH ?? '');
  if ('missing' in located) return invalid(located.missing);

  const id = await freeId(service);
  const worktree = request.worktree ?? (profile?.worktree ? { branch: null, base: null, setup: true } : null);
  const planned = worktree
    ? await service.worktrees.plan({
        ...worktree,
        sessionId: id,
        sessionName: request.name,
        directory: request.workingDir,
      })
    : null;
  if (planned && 'fault' in planned) return invalid(planned.fault);
  if (planned?.unallowed) return invalid(notAllowed);
  const badPrompt = request.prompt === null ? null : checkText(request.prompt);
  if (badPrompt) return { refusal: badPrompt };
  const prompt =
    request.prompt === null
      ? null
      : await newMessage(service, {
          ...firstPrompt(request.prompt, request.parent),
          review: request.review,
        });
  const options = await keptOptions(service, id, { ...wanted, env: own });
  const answer = await engine.submit(id, {
    type: 'create',
    id,
    provider: provider.name,
    providerId: conversationId(service, provider),
    parentId: request.parent?.id ?? null,
    name: `${provider.name}-${id}`,
    friendlyName: request.name,
    workingDir: planned?.workingDir ?? request.workingDir,
    ...(planned && { worktree: planned.worktree }),
    gitRemoteUrl: await gitRemote(request.workingDir),
    model: request.model ?? profile?.model ?? null,
    ...(options && { options }),
    env,
    prompt,
  });
  if (answer.ok) return { session: answer.session, messageId: prompt?.id ?? null };
  if (options?.variables) await service.ownVariables.drop(id, options.variables);
  return { refusal: answer.refusal };
}

interface Restoring {
  readonly by: Actor;
  readonly env: Readonly<Record<string, string>> | undefined;
  /** Values for the session's own variables, on top of those that are kept. */
  readonly variables: Readonly<Record<string, string>>;
}

export async function restoreSession(
  service: Service,
  { session }: State,
  { by, env, variables }: Restoring,
): Promise<void> {
  const { process, id } = session;
  const own = await variablesAgain(service, session, variables);
  if ('refusal' in own) throw new Refused(own.refusal);
  const alive =
    process.state === 'lost' &&
    process.pid !== null &&
    !(await service.processEnds(process.pid, process.startedAt));
  const provider = service.provider(session.provider);
  const answer = await service.engine.submit(id, {
    type: 'restore',
    by,
    oldProcess: alive ? 'alive' : 'gone',
    resumable: (await provider?.canResume(session)) ?? false,
    providerId: conversationId(service, provider),
    env: without(
      env ? service.cleanEnv(env) : service.defaultEnv,
      (own.changed ?? session.options?.variables)?.names ?? [],
    ),
    ...(own.changed && { variables: own.changed }),
  });
  const unneeded = answer.ok ? own.changed && session.options?.variables : own.changed;
  if (unneeded) await service.ownVariables.drop(id, unneeded);
  if (!answer.ok) throw new Refused(answer.refusal);
}

/** What a session has of its own is not stored with the environment of whoever starts it. */
const without = (env: Readonly<Record<string, string>>, own: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !own.includes(name)));
export const worktreeIn = ({ worktree }: WorktreeBody): NewSession['worktree'] =>
  worktree
    ? { branch: worktree.branch ?? null, base: worktree.base ?? null, setup: worktree.setup }
    : undefined;

/** Null: the agent names it. */
const conversationId = ({ random }: Service, provider: Provider | undefined): string | null =>
  provider?.capabilities.namesConversation ? null : random.uuid();

/** A parent hears of its child's first turn as it does of any message that it sends. */
const firstPrompt = (text: string, from: Session | null): NewMessage => ({
  text,
  from,
  notify: { ...quietly, turnEnd: from !== null },
});

async function freeId(service: Service): Promise<string> {
  for (;;) {
    const id = service.random.hex(8);
    if (!service.engine.get(id) && !(await service.store.state(id))) return id;
  }
}

function gitRemote(folder: string): Promise<string | null> {
  return new Promise((resolve) => {
    execFile('git', ['-C', folder, 'remote', 'get-url', 'origin'], { timeout: 2_000 }, (error, stdout) =>
      resolve(error ? null : stdout.trim() || null),
    );
  });
}

const notAllowed =
  'This repository has a set-up script for worktrees, .sm/worktree-setup, that a person has not allowed. Read it and allow it with: sm worktrees allow. Or start without it: --no-setup';

const invalid = (message: string): Created => ({ refusal: { code: 'invalid', message } });
