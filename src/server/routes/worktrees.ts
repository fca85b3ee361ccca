// The worktrees of sessions.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { displayName, isAlive, isRetired, type Session } from '../../domain/core/session.ts';
import type { Worktree } from '../../domain/core/worktree.ts';
import type { WorktreeView } from '../../protocol/worktree.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function worktreeRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { clock, engine, store, worktrees } = service;

  app.openapi(describe('GET /worktrees'), async (c) => {
    const retired = await store.retiredWithWorktree();
    const live = [...engine.all()].map(({ session }) => session);
    const all = [...live, ...retired].filter(isOwner);
    return c.json({ worktrees: await Promise.all(all.map(view)) }, 200);
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
    if ('fault' in planned) throw new Refused({ code: 'invalid', message: planned.fault });
    return c.json({ unallowed: planned.unallowed }, 200);
  });

  app.openapi(describe('POST /worktrees/allow'), async (c) => {
    if (c.get('requester'))
      throw new Refused({
        code: 'forbidden',
        message: 'Only a person may allow a set-up script: it runs outside of any session.',
      });
    const { hash } = c.req.valid('json');
    await worktrees.allow(hash, new Date(clock.now()).toISOString());
    return c.json({ status: 'allowed' as const, hash }, 200);
  });

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
  session.worktree !== undefined && (session.worktree.state.is !== 'making' || isAlive(session));
