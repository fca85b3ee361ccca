// Conversations in the agents' own records: whose they are, who has them open, and taking one over.
import { stat } from 'node:fs/promises';
import { invalid } from '../domain/core/refusal.ts';
import { isRetired, named, type Session } from '../domain/core/session.ts';
import { conversationTaken } from '../domain/life/lifecycle.ts';
import type { ConversationFile, ConversationHead, Environment, Provider } from '../ports/provider.ts';
import type { ConversationView } from '../protocol/conversation.ts';
import { checkSession, type NewSession } from './new-session.ts';
import { isOpen, type OpenIn, openConversations } from './open-conversations.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';
import { createSession } from './start-session.ts';

interface Search {
  /** Null: every kind that lives in a pane; those without one have the same records. */
  readonly provider: string | null;
  readonly id?: string | null;
  readonly below?: number | null;
  readonly limit: number;
  readonly env: Environment;
}

interface Conversation extends ConversationFile, ConversationHead {
  readonly provider: Provider;
  readonly owner: Session | null;
  readonly open: OpenIn | null;
}

/** Killed sessions that are still known, as far back as anybody will look. */
const mostRetired = 1_000;
const headsAtOnce = 16;
const longestWords = 200;

export async function findConversations(service: Service, search: Search): Promise<Conversation[]> {
  const kinds = kindsOf(service, search.provider);
  const [records, owners, below] = await Promise.all([
    Promise.all(kinds.map((kind) => recordOf(service, kind, search.env))),
    ownersOf(service),
    search.below ? service.processes.family(search.below) : null,
  ]);
  const files = records
    .flat()
    .filter(({ file, open }) => {
      if (search.id && file.providerId !== search.id) return false;
      return below === null || (open?.pid != null && below.has(open.pid));
    })
    .sort((a, b) => b.file.modifiedAt - a.file.modifiedAt);
  const found: Conversation[] = [];
  for (let at = 0; at < files.length && found.length < search.limit; at += headsAtOnce) {
    const some = files.slice(at, at + headsAtOnce).map(async ({ provider, file, open }) => {
      const head = (await provider.history?.head(file)) ?? null;
      return head && { ...file, ...head, provider, open, owner: owners.get(file.providerId) ?? null };
    });
    found.push(...(await Promise.all(some)).filter((each) => each !== null));
  }
  return found.slice(0, search.limit);
}

function kindsOf(service: Service, name: string | null): Provider[] {
  if (name === null)
    return service.providerNames
      .flatMap((each) => service.provider(each) ?? [])
      .filter(({ history, capabilities }) => history && capabilities.pane);
  const provider = service.provider(name);
  if (!provider)
    throw new Refused(invalid(`Unknown provider "${name}" (known: ${service.providerNames.join(', ')}).`));
  if (!provider.history)
    throw new Refused(invalid(`${provider.title} keeps no conversations that sm can find.`));
  return [provider];
}

async function recordOf(service: Service, provider: Provider, env: Environment) {
  const [files = [], open] = await Promise.all([
    provider.history?.files(env),
    openConversations(service, provider, env),
  ]);
  return files.map((file) => ({ provider, file, open: open.get(file.providerId) ?? null }));
}

async function ownersOf({ engine, store }: Service): Promise<Map<string, Session>> {
  const alive = [...engine.all()].map(({ session }) => session);
  // Whoever lives comes last, and counts.
  const all = [...(await store.retired(mostRetired)).reverse(), ...alive];
  return new Map(all.flatMap((each) => (each.context.providerId ? [[each.context.providerId, each]] : [])));
}

export const conversationView = (each: Conversation): ConversationView => ({
  provider: each.provider.name,
  id: each.providerId,
  working_dir: each.workingDir,
  first_words: each.firstWords.slice(0, longestWords),
  modified_at: new Date(each.modifiedAt).toISOString(),
  session: each.owner && { ...named(each.owner), killed: isRetired(each.owner) },
  open: each.open && { pid: each.open.pid },
});

export interface Adopting extends Pick<NewSession, 'name' | 'model' | 'options' | 'tags' | 'env'> {
  readonly provider: string;
  readonly id: string;
  /** The process that has it open, as the user saw it, and wants it to end. */
  readonly endPid: number | null;
}

export async function adoptConversation(service: Service, adopting: Adopting): Promise<Session> {
  const { provider, id, endPid, ...wanted } = adopting;
  const [found] = await findConversations(service, {
    provider,
    id,
    limit: 1,
    env: wanted.env ?? service.defaultEnv,
  });
  if (!found)
    throw new Refused({
      code: 'not-found',
      message: `No conversation ${id} of ${provider} in which anything was said.`,
      data: { is: 'no-conversation', ref: id },
    });
  if (found.owner) throw new Refused(conversationTaken(found.owner));
  const { open } = found;
  if (open && open.pid !== endPid) throw isOpen(id, open.pid);
  const session: NewSession = {
    ...wanted,
    provider,
    otherwise: provider,
    workingDir: found.workingDir,
    parent: null,
    fromParent: false,
    prompt: null,
    worktree: false,
  };
  // Nobody is ended for a session that cannot be started.
  const checked = await checkSession(service, session);
  if ('refusal' in checked) throw new Refused(checked.refusal);
  if (open?.pid && open.startedAt && !(await service.processes.end(open.pid, open.startedAt)))
    throw isOpen(id, open.pid, 'was asked to leave its process, which still runs');
  const { size } = await stat(found.path);
  const transcript = { path: found.path, offset: size, turnId: null };
  const created = await createSession(service, { ...session, adopts: { providerId: id, transcript } });
  if ('refusal' in created) throw new Refused(created.refusal);
  return created.session;
}
