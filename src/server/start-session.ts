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
import type { WorktreeBody } from '../protocol/worktree.ts';
import { checkText, type NewMessage, newMessage } from './messages.ts';
import type { Service } from './service.ts';
import { submit } from './submit.ts';

export interface NewSession {
  readonly provider: string;
  readonly workingDir: string;
  readonly name: string | null;
  readonly model: string | null;
  readonly parent: Session | null;
  readonly env: Readonly<Record<string, string>> | undefined;
  readonly prompt: string | null;
  /** It gets a worktree of its own; null in it: as the plan decides. */
  readonly worktree?: { readonly branch: string | null; readonly base: string | null } | undefined;
  /** What the prompt stands for. */
  readonly review?: ReviewTarget;
}

type Created =
  | { readonly session: Session; readonly messageId: string | null }
  | { readonly refusal: Refusal };

/** Everything that can be wrong is found before anything is changed. */
export async function createSession(service: Service, request: NewSession): Promise<Created> {
  const { engine } = service;
  const provider = service.provider(request.provider);
  if (!provider)
    return invalid(`Unknown provider "${request.provider}" (known: ${service.providerNames.join(', ')}).`);
  if (!isAbsolute(request.workingDir))
    return invalid(`The directory must be an absolute path, not ${request.workingDir}.`);
  const folder = await stat(request.workingDir).catch(() => null);
  if (!folder?.isDirectory())
    return invalid(`No directory ${request.workingDir}. Create it, or name another one.`);
  const env = request.env ? service.cleanEnv(request.env) : service.defaultEnv;
  const located = await provider.locate(env.PATH ?? service.defaultEnv.PATH ?? '');
  if ('missing' in located) return invalid(located.missing);

  const id = await freeId(service);
  const planned = request.worktree
    ? await service.worktrees.plan({
        ...request.worktree,
        sessionId: id,
        sessionName: request.name,
        directory: request.workingDir,
      })
    : null;
  if (planned && 'fault' in planned) return invalid(planned.fault);
  const badPrompt = request.prompt === null ? null : checkText(request.prompt);
  if (badPrompt) return { refusal: badPrompt };
  const prompt =
    request.prompt === null
      ? null
      : await newMessage(service, {
          ...firstPrompt(request.prompt, request.parent),
          review: request.review,
        });
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
    model: request.model,
    env,
    prompt,
  });
  return answer.ok ? { session: answer.session, messageId: prompt?.id ?? null } : { refusal: answer.refusal };
}

export async function restoreSession(
  service: Service,
  state: State,
  by: Actor,
  env: Readonly<Record<string, string>> | undefined,
) {
  const { process, id } = state.session;
  const alive =
    process.state === 'lost' &&
    process.pid !== null &&
    !(await service.processEnds(process.pid, process.startedAt));
  const provider = service.provider(state.session.provider);
  return submit(service, id, {
    type: 'restore',
    by,
    oldProcess: alive ? 'alive' : 'gone',
    resumable: (await provider?.canResume(state.session)) ?? false,
    providerId: conversationId(service, provider),
    env: env ? service.cleanEnv(env) : service.defaultEnv,
  });
}

export const worktreeIn = ({ worktree }: WorktreeBody): NewSession['worktree'] =>
  worktree ? { branch: worktree.branch ?? null, base: worktree.base ?? null } : undefined;

/** Null: the agent names it. */
const conversationId = ({ random }: Service, provider: Provider | undefined): string | null =>
  provider?.capabilities.namesConversation ? null : random.uuid();

/** A parent hears of its child's first turn as it does of any message that it sends. */
const firstPrompt = (text: string, from: Session | null): NewMessage => ({
  text,
  from,
  notify: { ...quietly, onStop: from !== null },
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

const invalid = (message: string): Created => ({ refusal: { code: 'invalid', message } });
