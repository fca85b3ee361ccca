// The door for facts. It is by far the busiest one, so it is served without the framework: every fact is durable
// before it is answered, and nothing else happens on the way.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { isId } from '../domain/core/ids.ts';
import { displayName, phaseOf, type Session } from '../domain/core/session.ts';
import type { Intake } from '../intake/intake.ts';
import type { FactKind } from '../intake/spool.ts';
import type { HookInput } from '../ports/provider.ts';
import { StoreError } from '../ports/store.ts';
import { parseBody } from './body.ts';
import { callerOf } from './caller.ts';
import { answerToCall, type CallDeps } from './calls.ts';
import { type Caller, checkSize, type Door, type GuardOptions, type Rejection } from './guard.ts';
import { usagePost } from './usage-post.ts';
import type { WaitingHooks } from './waiting-hooks.ts';

/** A prompt of a megabyte, escaped, with room to spare. */
const hookBodyLimit = 16 * 1024 * 1024;

interface HookDeps extends CallDeps {
  readonly intake: Intake;
  readonly waiting: WaitingHooks;
  readonly guard: GuardOptions;
  /** Names a fact that came without an id of its own. */
  readonly factId: () => string;
}

type Reply = { status: number; body?: unknown };

export function createHookListener(deps: HookDeps) {
  const { engine, intake, waiting, guard, log, now, factId } = deps;
  return async (req: IncomingMessage, res: ServerResponse, door: Door): Promise<void> => {
    const path = (req.url ?? '').split('?', 1)[0] as string;
    const caller = callerOf({ ...door, method: req.method ?? '', path, headers: req.headers }, guard);
    if ('status' in caller) return reject(res, caller);
    const tooLarge = checkSize(req.headers, hookBodyLimit);
    if (tooLarge) return reject(res, tooLarge);
    // Only our own program may wait for an answer: whoever did in its place would take it away from it.
    const isOurs = door.via === 'unix' || door.via === 'box';
    if (path === '/hooks/answer' && isOurs) {
      const told = toldIn(req);
      const rejection = checkTold(told) ?? checkTeller(caller, told);
      return rejection ? reject(res, rejection) : awaitAnswer(told, res, !(req.url ?? '').includes('?ruled'));
    }
    if (req.method !== 'POST')
      return send(res, { status: 405, body: { error: 'method', detail: 'Send facts with POST.' } });
    const body = await readJson(req);
    if ('status' in body) return send(res, body);
    const { json } = body;
    const idField = idFields[path];
    const told = idField === undefined ? toldIn(req) : { sessionId: String(json[idField] ?? ''), fact: '' };
    // A program of somebody else's may run where there is no session of ours, and must not be bothered with that.
    if (idField !== undefined && !isId(told.sessionId)) return send(res, unknownSession);
    const rejection = checkTold(told) ?? checkTeller(caller, told);
    if (rejection) return reject(res, rejection);
    try {
      if (path === '/hooks/agent')
        return sendLine(res, await fromOurHook(told, req.headers['x-sm-kind'], json));
      // It is told who holds a lock, and why: so it must be one of our own programs. `edit`: one of an earlier version.
      if ((path === '/hooks/tool' || path === '/hooks/edit') && isOurs)
        return sendLine(res, await answerToCall(deps, told.sessionId, told.fact || factId(), json));
      if (path === '/hooks/claude' || path === '/hooks/tool-use')
        return send(res, { status: 200, body: await fromForeignHook(told.sessionId, json) });
      if (path === '/hooks/context-usage')
        return send(res, { status: 200, body: await fromUsageHook(told.sessionId, json) });
      return send(res, { status: 404, body: { error: 'not_found', detail: `Unknown path ${path}.` } });
    } catch (error) {
      if (!(error instanceof StoreError))
        log.error({ path, error: String((error as Error).stack ?? error) }, 'a fact was not taken');
      // The hook program keeps the fact in the spool and we hear of it again.
      return send(res, {
        status: 503,
        body: { error: 'not_stored', detail: String((error as Error).message ?? error) },
      });
    }
  };

  async function fromOurHook({ sessionId, fact }: Told, what: unknown, body: HookInput): Promise<string> {
    const kind: FactKind = what === 'status' ? 'status' : 'hook';
    // Before anybody can know of the question, and answer it.
    if (what === 'question') waiting.announce(fact);
    const session = await intake.direct({
      sessionId,
      factId: fact || factId(),
      kind,
      body,
      spoolWasEmpty: true,
    });
    return session && kind === 'status' ? statusLine(session) : '';
  }

  /** Ends with the answer, or with nothing as soon as nobody will give one: at once, if only a rule could. */
  function awaitAnswer({ sessionId, fact }: Told, res: ServerResponse, anybody: boolean): void {
    const isOpen = (session: Session | undefined) =>
      fact !== '' &&
      ((anybody && session?.question?.hook?.fact === fact) ||
        session?.rulings.some(({ question }) => question.hook.fact === fact) === true);
    if (!isOpen(engine.get(sessionId)?.session)) {
      sendLine(res, '');
      return;
    }
    const leave = waiting.arrive(fact, { give: (answer) => give(res, answer) });
    const off = engine.onCommit((session) => {
      if (session.id === sessionId && !isOpen(session) && !res.writableEnded) sendLine(res, '');
    });
    res.once('close', () => {
      leave();
      off();
    });
  }

  async function fromForeignHook(sessionId: string, body: HookInput): Promise<object> {
    const session = await intake.direct({ sessionId, factId: factId(), kind: 'hook', body });
    return { status: session ? 'ok' : 'unknown_session' };
  }

  /** Plain posts of scripts that know neither conversations nor times. They report of whatever runs now. */
  async function fromUsageHook(sessionId: string, body: HookInput): Promise<object> {
    const session = engine.get(sessionId)?.session;
    if (!session?.context.providerId) return { status: 'unknown_session' };
    const told = usagePost(body, session.context.providerId);
    await intake.drain(sessionId);
    if (told.fact)
      await engine.submit(sessionId, {
        type: 'fact',
        id: factId(),
        at: now(),
        source: 'hook',
        fact: told.fact,
      });
    return told.answer;
  }
}

/** Where foreign programs say which session they tell of; ours do it in a header. */
const idFields: Readonly<Record<string, string>> = {
  '/hooks/claude': 'session_manager_id',
  '/hooks/tool-use': 'session_manager_id',
  '/hooks/context-usage': 'session_id',
};

/** Of which session, and which fact. */
interface Told {
  readonly sessionId: string;
  readonly fact: string;
}

const unknownSession: Reply = { status: 200, body: { status: 'unknown_session' } };

/** Ids go on to files and rows: what cannot be one goes no further. */
function checkTold({ sessionId, fact }: Told): Rejection | null {
  if (isId(sessionId) && (fact === '' || isId(fact))) return null;
  const [header, value] = isId(sessionId) ? ['x-sm-fact', fact] : ['x-sm-session', sessionId];
  return { status: 400, error: 'invalid', detail: `${header}: "${value}" cannot be an id` };
}

/** A session tells of itself alone. */
function checkTeller(caller: Caller, { sessionId }: Told): Rejection | null {
  if (caller.kind !== 'session' || caller.id === sessionId) return null;
  const detail = `Your key belongs to ${caller.id}; it cannot report facts of another session.`;
  return { status: 403, error: 'forbidden', detail };
}

function toldIn({ headers }: IncomingMessage): Told {
  return { sessionId: String(headers['x-sm-session'] ?? ''), fact: String(headers['x-sm-fact'] ?? '') };
}

/** Whether all of it went out to a program that was still there. */
function give(res: ServerResponse, answer: string): Promise<boolean> {
  if (res.writableEnded || res.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    res.once('close', () => resolve(res.writableFinished));
    sendLine(res, answer);
  });
}

/** What an agent without a status line of its user's shows. */
function statusLine(session: Session): string {
  const { usage } = session;
  const parts = [displayName(session), phaseOf(session)];
  if (usage?.percentage !== null && usage?.percentage !== undefined)
    parts.push(`context ${Math.round(usage.percentage)} %`);
  return parts.join(' · ');
}

async function readJson(req: IncomingMessage): Promise<{ json: HookInput } | Reply> {
  const body = await readBody(req);
  if (body === 'too large')
    return {
      status: 413,
      body: { error: 'too_large', detail: `A fact may have at most ${hookBodyLimit} bytes.` },
    };
  try {
    const json = parseBody(body);
    if (typeof json === 'object' && json !== null && !Array.isArray(json)) return { json: json as HookInput };
    return invalid('The body is not a JSON object.');
  } catch (error) {
    return invalid((error as Error).message);
  }
}

const invalid = (detail: string): Reply => ({ status: 400, body: { error: 'invalid', detail } });

/** By events: `for await` would cost a tenth of the whole fact. */
function readBody(req: IncomingMessage): Promise<Buffer | 'too large'> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    req.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= hookBodyLimit) {
        chunks.push(chunk);
      } else {
        // What is still to come is let through unread, so that the answer finds its way.
        chunks = [];
        resolve('too large');
      }
    });
    req.on('end', () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
    req.on('error', reject);
  });
}

const reject = (res: ServerResponse, { status, error, detail }: Rejection): void =>
  send(res, { status, body: { error, detail } });

function send(res: ServerResponse, { status, body }: Reply): void {
  const text = JSON.stringify(body ?? {});
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  res.end(text);
}

/** What our own hook program prints, which the agent reads: nothing at all is the rule. */
function sendLine(res: ServerResponse, line: string): void {
  if (line === '') {
    res.writeHead(204).end();
    return;
  }
  res.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(line),
  });
  res.end(line);
}
