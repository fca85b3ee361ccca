// A request that is about a session of another node goes there, and its answer comes back under the names that are right here.
import type { Context } from 'hono';
import { quietly } from '../domain/core/message.ts';
import { conflict, invalid } from '../domain/core/refusal.ts';
import { displayName } from '../domain/core/session.ts';
import { requesterNames } from './caller.ts';
import { type Elsewhere, elsewhere } from './elsewhere.ts';
import type { Env } from './env.ts';
import type { Fleet, FleetAnswer, FleetRequest } from './fleet.ts';
import { senderOf } from './messages.ts';
import { Refused } from './refused.ts';
import type { Service } from './service.ts';
import { streamHeaders } from './stream-text.ts';

/** For the answer to what may be asked again, in ms. */
const patience = 25_000;
/** Not names of sessions. */
const words: ReadonlySet<string> = new Set(['context-monitor', 'spawn']);

/** Null: it is for this node. `said`: its body. */
export async function forwarded(service: Service, c: Context<Env>, said: object): Promise<Response | null> {
  if (c.env.via === 'fleet' || !service.fleet()) return null;
  const url = new URL(c.req.url);
  const [, ref, rest = ''] = /^\/sessions\/([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
  if (ref !== undefined) {
    const name = decodeURIComponent(ref);
    if (name === 'spawn' && rest === '') return spawnedThere(service, c, said);
    // A message is kept here until its node has it.
    if (words.has(name) || rest === '/input') return null;
    const there = elsewhere(service, name);
    if (there && rest === '/watch') return watchedThere(service, c, there, url.searchParams, said);
    if (there?.view && rest === '' && c.req.method === 'GET') return c.json(there.view, 200);
    return (
      there && pass(c, there, `/sessions/${encodeURIComponent(there.id)}${rest}`, url.searchParams, said)
    );
  }
  const [, message, node = '', act = ''] =
    /^\/messages\/([^/@%]+)(?:@|%40)([^/]+)(\/.*)?$/.exec(url.pathname) ?? [];
  if (message !== undefined) {
    const there = { fleet: service.fleet() as Fleet, node };
    return node === there.fleet.node
      ? null
      : pass(c, there, `/messages/${message}${act}`, url.searchParams, said);
  }
  const about = url.pathname === '/events' ? url.searchParams.get('session') : null;
  const there = about === null ? null : elsewhere(service, about);
  if (!there) return null;
  url.searchParams.set('session', there.id);
  return pass(c, there, '/events', url.searchParams, said);
}

/** A session that is to be started on another node: `on` names it, or a label that it has. */
async function spawnedThere(service: Service, c: Context<Env>, said: object): Promise<Response | null> {
  const fleet = service.fleet() as Fleet;
  // What stands in the environment here is of no use there, and nobody's business.
  const { on, env: _, ...body } = said as { on?: unknown; env?: unknown };
  const node = typeof on === 'string' ? chosen(fleet, on) : fleet.node;
  if (node === fleet.node) return null;
  const from = c.get('requester');
  const here = from?.workingDir === undefined ? {} : { working_dir: from.workingDir };
  // Named from here, so that it can be asked for again where nobody knows whether it was heard.
  const ids = { session: service.random.hex(8), message: service.random.hex(8) };
  const asked = requestOf(c, '/sessions/spawn', new URLSearchParams(), { ...here, ids, ...body });
  return insist(service, fleet, node, asked);
}

/** A session here waits for one there. It is remembered here as well, to be told when that node is away. */
async function watchedThere(
  service: Service,
  c: Context<Env>,
  { fleet, node, id: session }: Elsewhere,
  query: URLSearchParams,
  said: object,
): Promise<Response> {
  const id = service.random.hex(8);
  const seconds = Number(query.get('timeout_seconds'));
  query.set('id', id);
  const asked = requestOf(c, `/sessions/${encodeURIComponent(session)}/watch`, query, said);
  const from = c.get('requester');
  const answer = await insist(service, fleet, node, asked);
  if (answer.status === 200 && from)
    await fleet.watched({
      ...{ id, node, session, from: senderOf(from), text: `wait for ${seconds} s`, mode: 'sequential' },
      ...{ notify: quietly, remind: null, expiresAt: service.clock.now() + seconds * 1_000 },
    });
  return answer;
}

/** Asks again where nobody knows whether it was done: it names what it makes, so that it is made once. */
async function insist(service: Service, fleet: Fleet, node: string, asked: FleetRequest): Promise<Response> {
  const end = service.clock.now() + patience;
  for (;;) {
    const left = end - service.clock.now();
    try {
      return await ask(fleet, node, asked);
    } catch (error) {
      if (!isLost(error) || left <= 0 || !(await fleet.heard(node, left))) throw error;
    }
  }
}

/** Whether it may have been done. */
const isLost = (error: unknown): boolean =>
  error instanceof Refused && error.refusal.data?.is === 'node-away' && error.refusal.data.lost === true;

/** The node of that name; or of those that have the label and are here, the one with the least to do. */
function chosen(fleet: Fleet, on: string): string {
  const nodes = fleet.nodes();
  const label = on.startsWith('label:') ? on.slice(6) : null;
  if (label === null) {
    if (nodes.some(({ name }) => name === on)) return on;
    const known = nodes.map(({ name }) => name).join(', ');
    throw new Refused(invalid(`No node "${on}" (known: ${known}).`));
  }
  const [best] = nodes
    .filter(({ labels, name }) => labels.includes(label) && fleet.awayWhy(name) === null)
    .sort((a, b) => a.load - b.load);
  if (best) return best.name;
  throw new Refused(invalid(`No node that is here has the label "${label}".`));
}

async function pass(
  c: Context<Env>,
  { fleet, node }: Pick<Elsewhere, 'fleet' | 'node'>,
  path: string,
  query: URLSearchParams,
  said: object,
): Promise<Response> {
  return ask(fleet, node, requestOf(c, path, query, said));
}

function requestOf(c: Context<Env>, path: string, query: URLSearchParams, said: object): FleetRequest {
  const requester = c.get('requester');
  for (const name of requesterNames) query.delete(name);
  const body = Object.fromEntries(
    Object.entries(said).filter(([key]) => !requesterNames.includes(key) && !query.has(key)),
  );
  const text = query.size > 0 ? `${path}?${query}` : path;
  return {
    method: c.req.method as FleetRequest['method'],
    path: text,
    body: c.req.header('content-type') === undefined ? null : body,
    accept: c.req.header('accept') ?? null,
    after: c.req.header('last-event-id') ?? null,
    from: requester ? { id: requester.id, name: displayName(requester) } : null,
  };
}

/** Asks another node, and gives its answer back as ours. */
export async function ask(fleet: Fleet, node: string, request: FleetRequest): Promise<Response> {
  const away = fleet.awayWhy(node);
  if (away !== null) throw unreachable(node, away, false);
  const answer = await fleet.call(node, request).catch((error: Error) => {
    throw unreachable(node, error.message, true);
  });
  return renamed(answer, node, fleet.node);
}

const unreachable = (node: string, why: string, lost: boolean): Refused =>
  new Refused(conflict(`Node ${node} cannot be asked: ${why}.`, { is: 'node-away', node, why, lost }));

async function renamed({ status, type, body }: FleetAnswer, node: string, here: string): Promise<Response> {
  if (type.startsWith('text/event-stream'))
    return new Response(body.pipeThrough(eachLine((line) => renamedLine(line, node, here))), {
      headers: streamHeaders,
    });
  const text = await new Response(body).text();
  return new Response(JSON.stringify(fromHere(JSON.parse(text), node, here)), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}

function renamedLine(line: string, node: string, here: string): string {
  if (!line.startsWith('data:')) return line;
  return `data: ${JSON.stringify(fromHere(JSON.parse(line.slice(5)), node, here))}`;
}

function eachLine(change: (line: string) => string): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()];
  let rest = '';
  return new TransformStream({
    transform(piece, controller) {
      const lines = (rest + decoder.decode(piece, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (lines.length > 0) controller.enqueue(encoder.encode(`${lines.map(change).join('\n')}\n`));
    },
  });
}

const named: ReadonlySet<string> = new Set(['session_id', 'parent_session_id', 'message_id']);

/** The ids of sessions and messages in an answer of that node, as they are called here. */
export function fromHere(value: unknown, node: string, here: string): unknown {
  if (Array.isArray(value)) return value.map((each) => fromHere(each, node, here));
  if (typeof value !== 'object' || value === null) return value;
  const isView = 'id' in value && 'display_name' in value && 'phase' in value;
  const entries = Object.entries(value).map(([key, each]) => {
    if (typeof each === 'string' && (named.has(key) || (isView && key === 'id')))
      return [key, idFromHere(each, node, here)];
    return [key, fromHere(each, node, here)];
  });
  return { ...Object.fromEntries(entries), ...(isView && { node }) };
}

/** How a session is called here that the node `owner` calls so. */
export function idFromHere(id: string, owner: string, here: string): string {
  if (!id.includes('@')) return `${id}@${owner}`;
  return id.endsWith(`@${here}`) ? id.slice(0, -here.length - 1) : id;
}
