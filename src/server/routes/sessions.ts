// One session or all of them: list, look, name, kill, restore.

import type { OpenAPIHono } from '@hono/zod-openapi';
import { emptyState } from '../../domain/core/change.ts';
import type { Input } from '../../domain/core/input.ts';
import type { Actor, SessionId } from '../../domain/core/names.ts';
import { conflict, stands } from '../../domain/core/refusal.ts';
import { isAlive, nameAndId, named, phaseOf, type Session, type State } from '../../domain/core/session.ts';
import { paneName } from '../../ports/terminal.ts';
import type { SessionView } from '../../protocol/session.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { forkSession } from '../fork-session.ts';
import { worktreeIn } from '../new-session.ts';
import { Refused } from '../refused.ts';
import { find, findAny, findById, foundAny } from '../resolve.ts';
import { screenView } from '../screens.ts';
import type { Service } from '../service.ts';
import { listText } from '../session-list.ts';
import { wantedIn } from '../session-options.ts';
import { createSession, restoreSession } from '../start-session.ts';
import { streamHeaders } from '../stream-text.ts';
import { submit, submitUntil, type Tell } from '../submit.ts';
import { sessionViews, statusOf } from '../view.ts';
import { describe } from './describe.ts';

export function sessionRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { engine, store, terminal } = service;

  const sessionView = sessionViews(service.provider);

  app.openapi(describe('GET /sessions'), async (c) => {
    const text = await listText(service, c.req.valid('query'));
    return c.body(text, 200, { 'content-type': 'application/json' }) as never;
  });

  app.openapi(describe('POST /sessions'), async (c) => {
    const body = c.req.valid('json');
    const created = await createSession(service, {
      provider: body.provider ?? null,
      otherwise: service.standardProvider,
      workingDir: body.working_dir,
      name: body.name ?? null,
      model: body.model ?? null,
      options: wantedIn(body.options),
      parent: c.get('requester'),
      fromParent: c.get('caller').kind === 'session',
      env: body.env,
      worktree: worktreeIn(body),
      member: body.member ?? undefined,
      tags: body.tags,
      prompt: null,
    });
    if ('refusal' in created) throw new Refused(created.refusal);
    return c.json(viewOf(created.session), 200);
  });

  app.openapi(describe('GET /sessions/{ref}'), async (c) => {
    const { ref } = c.req.valid('param');
    if (c.get('caller').kind !== 'script') {
      const { state, namesakes } = await foundAny(service, ref);
      return c.json({ ...sessionView(state), namesakes: [...namesakes] }, 200);
    }
    // It knows its own id. By names and prefixes, whoever comes through an open door could find out all of them.
    const { id, status, last_handoff_path } = sessionView(await findById(service, ref));
    return c.json({ id, status, last_handoff_path } as SessionView, 200);
  });

  app.openapi(describe('PATCH /sessions/{ref}'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { friendly_name: name } = c.req.valid('json');
    return c.json(await changed(session.id, { type: 'rename', by: actorIn(c), name }), 200);
  });

  app.openapi(describe('PUT /sessions/{ref}/task'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { task } = c.req.valid('json');
    return c.json(await changed(session.id, { type: 'set-task', by: actorIn(c), task }), 200);
  });

  app.openapi(describe('PUT /sessions/{ref}/budget'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { family, usd, tokens } = c.req.valid('json');
    const amount = usd === null && tokens === null ? null : { usd, tokens };
    return c.json(await changed(session.id, { type: 'set-budget', by: actorIn(c), family, amount }), 200);
  });

  app.openapi(describe('POST /sessions/{ref}/tags'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { add, remove } = c.req.valid('json');
    return c.json(await changed(session.id, { type: 'tag', by: actorIn(c), add, remove }), 200);
  });

  app.openapi(describe('POST /sessions/{ref}/agent-status'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { text } = c.req.valid('json');
    return c.json(await changed(session.id, { type: 'report', by: actorIn(c), text }), 200);
  });

  const kill = async (ref: string, by: Actor) => {
    const { session } = find(service, ref);
    const hasEnded: Tell<true> = ({ process }) => process.state === 'exited' || undefined;
    await submitUntil(service, session.id, { type: 'kill', by }, hasEnded);
    return { status: 'killed' as const, session_id: session.id };
  };
  app.openapi(describe('POST /sessions/{ref}/kill'), async (c) =>
    c.json(await kill(c.req.valid('param').ref, actorIn(c)), 200),
  );
  app.openapi(describe('DELETE /sessions/{ref}'), async (c) =>
    c.json(await kill(c.req.valid('param').ref, actorIn(c)), 200),
  );

  app.openapi(describe('POST /sessions/{ref}/restore'), async (c) => {
    const body = c.req.valid('json');
    const { ref } = c.req.valid('param');
    const { state, namesakes } = await foundAny(service, ref);
    const [killed] = namesakes;
    // The name has passed on to a session that is alive; the killed one is meant.
    if (killed && isAlive(state.session))
      throw new Refused(
        conflict(
          `"${ref}" is now the name of ${state.session.id}, which is alive. The one that was killed is ${killed}.`,
          { is: 'name-passed-on', session: named(state.session), killed },
        ),
      );
    await restoreSession(service, state, {
      by: actorIn(c),
      env: body?.env,
      variables: body?.variables ?? {},
    });
    return c.json(viewOf(state.session), 200);
  });

  app.openapi(describe('POST /sessions/{ref}/fork'), async (c) => {
    const body = c.req.valid('json');
    const original = await findAny(service, c.req.valid('param').ref);
    const copy = { by: actorIn(c), name: body?.name ?? null, env: body?.env };
    return c.json(viewOf(await forkSession(service, original, copy)), 200);
  });

  app.openapi(describe('GET /sessions/{ref}/children'), (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { recursive, status } = c.req.valid('query');
    const found = childrenOf(service, session.id, recursive).filter(
      (child) => status === 'all' || statusOf(phaseOf(child.session)) === status,
    );
    return c.json({ parent_session_id: session.id, children: found.map(sessionView) }, 200);
  });

  app.openapi(describe('GET /sessions/{ref}/output'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    const { process, id } = session;
    const { lines } = c.req.valid('query');
    const hasPane = service.provider(session.provider)?.capabilities.pane !== false;
    const kept = process.state === 'exited' ? (process.screen ?? '') : '';
    // A dead agent's pane is gone, or about to go. The words of one without a pane end where it died.
    const shown = hasPane
      ? (await terminal.capture(paneName(id), lines)) || kept
      : [await words(id, lines), kept].filter(Boolean).join('\n');
    const ended = process.state === 'exited' || process.state === 'lost' ? process.reason : null;
    return c.json({ session_id: id, output: shown.split('\n').slice(-lines).join('\n'), ended }, 200);
  });

  app.openapi(describe('GET /sessions/{ref}/screen'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    // An agent without a terminal runs in a pane as well, but nobody is to look at that.
    if (service.provider(session.provider)?.capabilities.pane === false) throw noTerminal(session);
    if (c.req.header('accept')?.includes('text/event-stream'))
      return new Response(service.screens.open(session.id), { headers: streamHeaders }) as never;
    const screen = await terminal.look(paneName(session.id));
    if (!screen) throw noTerminal(session);
    return c.json(screenView(screen), 200);
  });

  app.openapi(describe('GET /sessions/{ref}/last-message'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    return c.json({ session_id: session.id, last_message: session.lastTurn?.lastWords ?? null }, 200);
  });

  /** The last lines of what an agent without a pane has said. */
  async function words(id: string, lines: number): Promise<string> {
    const events = await store.events({ after: 0, limit: 1_000, last: true, sessionId: id });
    const said = events.flatMap(({ body }) => (body.type === 'said' ? body.text.split('\n') : []));
    return said.slice(-lines).join('\n');
  }

  async function changed(id: SessionId, input: Input): Promise<SessionView> {
    const { session } = await submit(service, id, input);
    return viewOf(session);
  }

  /** As it is now. */
  const viewOf = (session: Session): SessionView =>
    sessionView(engine.get(session.id) ?? emptyState(session));
}

function childrenOf(service: Service, parentId: string, recursive: boolean): State[] {
  const direct = [...service.engine.all()].filter(({ session }) => session.parentId === parentId);
  return recursive
    ? direct.flatMap((child) => [child, ...childrenOf(service, child.session.id, true)])
    : direct;
}

const noTerminal = (session: Session): Refused =>
  new Refused(stands(session, 'no-terminal', `${nameAndId(session)} has no terminal.`));
