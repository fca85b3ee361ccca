// The way in for facts: what hooks say, directly or through the spool, becomes inputs of the session's lane.
// A session's spool is drained before a direct fact of it is handled, so that nothing overtakes.

import type { Fact } from '../domain/core/fact.ts';
import type { SessionId } from '../domain/core/names.ts';
import type { Session } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { HookInput, Provider } from '../ports/provider.ts';
import { StoreError } from '../ports/store.ts';
import { type PlaceCall, placed } from './calls.ts';
import type { Conversations } from './conversations.ts';
import type { FactKind, Spool } from './spool.ts';

export interface Intake {
  /** One fact as its program sent it. Rejects with a StoreError if it could not be stored; it then stays in the spool. */
  direct(fact: RawFact): Promise<Session | null>;
  /** Everything that waits in the spool, of one session or of all. */
  drain(id?: SessionId): Promise<void>;
}

export interface RawFact {
  readonly sessionId: SessionId;
  readonly factId: string;
  /** When it was said, if that was not just now. */
  readonly at?: number;
  readonly kind: FactKind;
  readonly body: HookInput;
  /** Our hook program posts only when nothing of its session waits in the spool: then there is nothing to look for. */
  readonly spoolWasEmpty?: boolean;
}

interface IntakeDeps {
  readonly engine: Engine;
  readonly spool: Spool;
  readonly conversations: Conversations;
  readonly provider: (name: string) => Provider | undefined;
  /** Reads a session's transcript to its present end. */
  readonly readTranscript: (id: SessionId) => Promise<void>;
  /** Finds out where the files of a call are. */
  readonly placeCall: PlaceCall;
  readonly clock: Clock;
  readonly log: Log;
}

export function createIntake(deps: IntakeDeps): Intake {
  const { engine, spool, conversations, provider, readTranscript, placeCall, clock, log } = deps;
  /** Sessions whose spool is being drained. All who ask meanwhile share one more drain, after this one. */
  const draining = new Map<SessionId, { readonly work: Promise<void>; next?: Promise<void> }>();

  async function take({ sessionId, factId, kind, body, at = clock.now() }: RawFact): Promise<Session | null> {
    const session = engine.get(sessionId)?.session;
    if (!session) return null;
    const agent = provider(session.provider);
    const facts = factsOf(agent, kind, body);
    for (const fact of facts) if (isOfAnother(session, fact)) await conversations.find(sessionId, fact);
    if (facts.some((fact) => provesEnd(session, fact))) await readTranscript(sessionId);
    const call = facts.some(({ is }) => is === 'permission-asked')
      ? await placed(placeCall, agent?.calls?.read(body) ?? null, session)
      : null;
    const answers = await Promise.all(
      facts.map((fact, i) =>
        engine.submit(sessionId, {
          type: 'fact',
          id: i ? `${factId}.${i}` : factId,
          at,
          source: 'hook',
          fact: fact.is === 'permission-asked' ? { ...fact, ...call } : fact,
        }),
      ),
    );
    const last = answers.at(-1);
    return last?.ok ? last.session : session;
  }

  async function drainOne(id: SessionId): Promise<void> {
    for (const file of await spool.list(id)) {
      const body = await spool.read(file);
      if (body === 'gone') continue;
      if (body === null) {
        log.warn({ session: id, file: file.path }, 'cannot read a spooled fact; set it aside');
        await spool.setAside(file);
        continue;
      }
      const { factId, kind } = file;
      try {
        await take({ sessionId: id, factId, kind, body, at: Number(file.at / 1_000_000n) });
        await spool.remove(file);
      } catch (error) {
        // What can be stored later stays; what can never be handled must not keep the others waiting.
        if (error instanceof StoreError) throw error;
        log.error(
          { session: id, file: file.path, error: String(error) },
          'cannot handle a spooled fact; set it aside',
        );
        await spool.setAside(file);
      }
    }
  }

  function drain(id: SessionId): Promise<void> {
    const before = draining.get(id);
    if (before) {
      before.next ??= before.work.catch(() => {}).then(() => drain(id));
      return before.next;
    }
    if (spool.isEmpty(id)) return Promise.resolve();
    const work = drainOne(id).finally(() => draining.delete(id));
    draining.set(id, { work });
    return work;
  }

  return {
    async direct(fact) {
      if (!fact.spoolWasEmpty || draining.has(fact.sessionId)) await drain(fact.sessionId);
      return take(fact);
    },
    async drain(id) {
      for (const each of id ? [id] : await spool.sessions()) await drain(each);
    },
  };
}

function factsOf(provider: Provider | undefined, kind: FactKind, body: HookInput): Fact[] {
  if (!provider) return [];
  return kind === 'hook' ? provider.hookFacts(body) : provider.statusFacts(body);
}

const isOfAnother = ({ context }: Session, fact: Fact): boolean =>
  'providerId' in fact && fact.providerId !== context.providerId;

/** That the turn which runs, or was about to, is over, but not how it ended: the transcript tells that, if anything does. */
export function provesEnd({ turn, attempt }: Session, fact: Fact): boolean {
  switch (fact.is) {
    case 'prompt-submitted':
      return turn !== null && fact.turnId !== null && turn.id !== fact.turnId;
    case 'turn-ended':
      // It names no turn, so that it may be the end of one that was cut, or failed.
      return turn !== null && fact.turnId === null;
    case 'context-ended':
      return turn !== null || attempt?.step === 'typed';
    case 'agent-started':
      return fact.source === 'clear' && (turn !== null || attempt?.step === 'typed');
    default:
      return false;
  }
}
