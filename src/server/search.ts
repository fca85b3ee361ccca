// Who may search what, and what is told of what was found.

import { maySearch } from '../domain/core/authority.ts';
import type { SessionId } from '../domain/core/names.ts';
import { invalid } from '../domain/core/refusal.ts';
import { displayName, type Session } from '../domain/core/session.ts';
import type { Hit } from '../ports/search.ts';
import type { FoundView, HitView } from '../protocol/search.ts';
import type { Caller } from './guard.ts';
import { Refused } from './refused.ts';
import { findAny } from './resolve.ts';
import { termsOf } from './search-terms.ts';
import type { Service } from './service.ts';

interface Asked {
  readonly words: string;
  readonly session?: string | undefined;
  readonly from?: string | undefined;
  readonly since?: string | undefined;
  readonly limit: number;
  readonly full: boolean;
}

export async function search(service: Service, caller: Caller, asked: Asked): Promise<FoundView> {
  const read = termsOf(asked.words);
  if ('fault' in read) throw new Refused(invalid(read.fault));
  const self = caller.kind === 'session' ? caller.id : null;
  const session = asked.session === undefined ? null : (await findAny(service, asked.session)).session;
  const refusal = session && self && maySearch(session, self, isFamily(service, session, self));
  if (refusal) throw new Refused(refusal);
  const found = await service.search.find({
    terms: read.terms,
    session: session?.id ?? null,
    from: asked.from === undefined ? null : await senderCalled(service, asked.from),
    since: asked.since === undefined ? null : Date.parse(asked.since),
    within: self === null ? null : { self, eldest: eldestOf(service, self) },
    limit: asked.limit,
    full: asked.full,
  });
  const names = new Map<SessionId, string>();
  for (const { sessionId: id } of found.hits) if (!names.has(id)) names.set(id, await nameOf(service, id));
  return {
    hits: found.hits.map((hit) => hitView(hit, names.get(hit.sessionId) ?? hit.sessionId)),
    indexed_from: found.from === null ? null : iso(found.from),
  };
}

async function senderCalled(service: Service, ref: string): Promise<SessionId | 'person'> {
  return ref === 'user' ? 'person' : (await findAny(service, ref)).session.id;
}

/** As far as it is known: a parent that was killed is not. */
function eldestOf({ engine }: Pick<Service, 'engine'>, id: SessionId): SessionId {
  const parent = engine.get(id)?.session.parentId;
  return parent ? eldestOf({ engine }, parent) : id;
}

function isFamily(service: Service, { id, parentId }: Session, self: SessionId): boolean {
  return eldestOf(service, parentId ?? id) === eldestOf(service, self);
}

async function nameOf({ engine, store }: Service, id: SessionId): Promise<string> {
  const state = engine.get(id) ?? (await store.state(id));
  return state ? displayName(state.session) : id;
}

function hitView({ sessionId, at, number, place, snippet, matched, text }: Hit, name: string): HitView {
  return {
    session_id: sessionId,
    session_name: name,
    at: iso(at),
    event: number,
    kind: place.kind,
    message_id: place.kind === 'message' ? place.message : null,
    from: place.kind === 'message' ? place.from : null,
    path: 'path' in place ? place.path : null,
    line: 'path' in place ? place.line : null,
    snippet,
    matched,
    text,
  };
}

const iso = (time: number): string => new Date(time).toISOString();
