// The worktrees of sessions: listed, removed, brought back.

import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Input } from '../../domain/core/input.ts';
import { conflict, invalid, stands } from '../../domain/core/refusal.ts';
import {
  displayName,
  isAlive,
  isRetired,
  nameAndId,
  named,
  type Session,
} from '../../domain/core/session.ts';
import type { Worktree } from '../../domain/core/worktree.ts';
import { noWorktree } from '../../domain/life/worktrees.ts';
import type { WorktreeView } from '../../protocol/worktree.ts';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import { findAny } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit } from '../submit.ts';
import { describe } from './describe.ts';

export function worktreeRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { clock, engine, store, worktrees } = service;

  app.openapi(describe('GET /worktrees'), async (c) => {
    const { archived } = c.req.valid('query');
    const live = [...engine.all()].map(({ session }) => session);
    const retired = archived ? await store.retired(1_000) : await store.retiredWithWorktree();
    const all = [...live, ...retired].filter(isOwner);
    const wanted = all.filter(({ worktree }) => (worktree.state.is === 'archived') === archived);
    return c.json({ worktrees: await Promise.all(wanted.map(view)) }, 200);
  });

  app.openapi(describe('GET /worktrees/setup'), async (c) => {
    const { path, branch, base } = c.req.valid('query');
    const planned = await worktrees.plan({
      sessionId: 'none',
      sessionName: null,
      directory: path,
      branch: branch ?? null,
      base: base ?? null,
      setup: true,
    });
    if ('fault' in planned) throw new Refused(invalid(planned.fault));
    return c.json({ unallowed: planned.unallowed }, 200);
  });

  app.openapi(describe('POST /worktrees/allow'), async (c) => {
    if (c.get('requester'))
      throw new Refused({
        code: 'forbidden',
        message: 'Only a person may allow a set-up script: it runs outside of any session.',
        data: { is: 'only-a-person', act: 'allow-setup' },
      });
    const { hash } = c.req.valid('json');
    await worktrees.allow(hash, new Date(clock.now()).toISOString());
    return c.json({ status: 'allowed' as const, hash }, 200);
  });

  app.openapi(describe('GET /sessions/{ref}/worktree/removal'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    const { worktree, id } = session;
    if (worktree?.state.is !== 'ready') throw new Refused(noWorktree(session));
    const { why, kept, givenUp } = await worktrees.removal(worktree, id);
    const users = isAlive(session) ? `${nameAndId(session)} works in it` : inUse(othersIn(session, worktree));
    const reasons = [users, why].filter((each) => each !== null).join('; ');
    return c.json(
      { session_id: id, path: worktree.path, why: reasons || null, kept, given_up: [...givenUp] },
      200,
    );
  });

  app.openapi(describe('POST /sessions/{ref}/worktree/remove'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    const users = session.worktree ? othersIn(session, session.worktree) : [];
    if (users.length > 0) {
      const data = { is: 'worktree-in-use', session: named(session), by: users.map(named) } as const;
      throw new Refused(conflict(`The worktree stays: ${inUse(users)}.`, data));
    }
    const giveUp = c.req.valid('json')?.give_up ?? [];
    const after = await begin(session, { type: 'remove-worktree', by: actorIn(c), giveUp });
    return c.json({ status: 'removing' as const, session_id: session.id, after }, 200);
  });

  app.openapi(describe('GET /sessions/{ref}/worktree/finish'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    const { worktree, id } = session;
    if (worktree?.state.is !== 'ready') throw new Refused(noWorktree(session));
    const plan = await worktrees.planFinish(worktree, { into: c.req.valid('query').into ?? null });
    if ('fault' in plan) throw new Refused(stands(session, 'cannot-finish', plan.fault));
    return c.json(
      { session_id: id, ...plan, commits: [...plan.commits], conflicts: [...plan.conflicts] },
      200,
    );
  });

  app.openapi(describe('POST /sessions/{ref}/worktree/finish'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    const { how, into, tip, target } = c.req.valid('json');
    const order = { how, into, tip, target };
    const after = await begin(session, { type: 'finish-worktree', by: actorIn(c), order });
    return c.json({ status: 'finishing' as const, session_id: session.id, after }, 200);
  });

  app.openapi(describe('POST /sessions/{ref}/worktree/restore'), async (c) => {
    const { session } = await findAny(service, c.req.valid('param').ref);
    const after = await begin(session, { type: 'restore-worktree', by: actorIn(c) });
    return c.json({ status: 'restoring' as const, session_id: session.id, after }, 200);
  });

  /** The number of the last event from before: what follows tells how it went. */
  async function begin({ id }: Session, input: Input): Promise<number> {
    const [last] = await store.events({ after: 0, limit: 1, last: true, sessionId: id });
    await submit(service, id, input);
    return last?.number ?? 0;
  }

  /** Other sessions that work there, though perhaps no process of theirs stands in it just now. */
  function othersIn({ id }: Session, { path }: Worktree): Session[] {
    return [...engine.all()]
      .map(({ session }) => session)
      .filter((each) => each.id !== id && isAlive(each) && `${each.workingDir}/`.startsWith(`${path}/`));
  }

  async function view(session: Owner): Promise<WorktreeView> {
    const { worktree } = session;
    const { sizeBytes, branch, ...look } = await worktrees.look(worktree);
    return {
      session_id: session.id,
      session_name: displayName(session),
      session: isAlive(session) ? 'running' : isRetired(session) ? 'killed' : 'ended',
      path: worktree.path,
      repository: worktree.repository,
      branch: look.fault === null ? branch : worktree.branch,
      base: worktree.base.name,
      state: worktree.state.is,
      ...look,
      size_bytes: sizeBytes,
    };
  }
}

type Owner = Session & { readonly worktree: Worktree };

/** One that was given up before it was whole has none. */
const isOwner = (session: Session): session is Owner =>
  session.worktree !== null && (session.worktree.state.is !== 'making' || isAlive(session));

const inUse = (by: readonly Session[]): string | null =>
  by.length === 0 ? null : `in use by ${by.map(nameAndId).join(', ')}`;
