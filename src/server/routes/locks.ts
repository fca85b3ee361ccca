// Locks on workspaces: taken, waited for, released; and who works in a workspace.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { actorIn } from '../caller.ts';
import type { Env } from '../env.ts';
import { allLocks, holderIn, lockView, sessionsIn, takeLock } from '../locks.ts';
import { Refused } from '../refused.ts';
import { find } from '../resolve.ts';
import type { Service } from '../service.ts';
import { submit } from '../submit.ts';
import { sessionViews } from '../view.ts';
import { workspaceOf } from '../workspace.ts';
import { describe } from './describe.ts';

export function lockRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { engine, random } = service;

  app.openapi(describe('GET /locks'), (c) => c.json({ locks: allLocks(engine).map(lockView) }, 200));

  app.openapi(describe('GET /workspace'), async (c) => {
    const workspace = await workspaceOf(c.req.valid('query').path);
    const holder = holderIn(engine, workspace);
    const near = await sessionsIn(engine, workspace);
    return c.json(
      { workspace, lock: holder && lockView(holder), sessions: near.map(sessionViews(service.provider)) },
      200,
    );
  });

  app.openapi(describe('POST /sessions/{ref}/lock'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    const { reason, path, enforce, wait_seconds: seconds } = c.req.valid('json');
    const taken = await takeLock(engine, session.id, {
      by: actorIn(c),
      workspace: await workspaceOf(path ?? session.workingDir),
      reason,
      enforced: enforce,
      wait: seconds ? { id: random.hex(8), seconds } : null,
    });
    if ('refusal' in taken) throw new Refused(taken.refusal);
    const status = taken.is === 'taken' ? ('locked' as const) : ('waiting' as const);
    return c.json({ status, lock: lockView(taken.holder) }, 200);
  });

  app.openapi(describe('DELETE /sessions/{ref}/lock'), async (c) => {
    const { session } = find(service, c.req.valid('param').ref);
    await submit(service, session.id, { type: 'unlock', by: actorIn(c) });
    const workspace = session.lock?.workspace ?? '';
    return c.json({ status: 'released' as const, session_id: session.id, workspace }, 200);
  });
}
