// The nodes of the fleet.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { conflict } from '../../domain/core/refusal.ts';
import type { NodeState } from '../../ports/fleet.ts';
import type { NodeView } from '../../protocol/node.ts';
import type { Env } from '../env.ts';
import { Refused } from '../refused.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function nodeRoutes(app: OpenAPIHono<Env>, { fleet }: Service): void {
  app.openapi(describe('DELETE /nodes/{id}'), async (c) => {
    if (c.get('caller').kind !== 'person')
      throw new Refused({
        code: 'forbidden',
        message: 'Only a person may forget a node.',
        data: { is: 'only-a-person', act: 'forget-node' },
      });
    const { id: node } = c.req.valid('param');
    const there = fleet();
    const why = there ? await there.forget(node) : 'there is no fleet';
    if (why !== null)
      throw new Refused(conflict(`Node ${node} was not forgotten: ${why}.`, { is: 'node-away', node, why }));
    return c.json({ status: 'forgotten' as const, node }, 200);
  });

  app.openapi(describe('GET /nodes'), (c) => {
    const there = fleet();
    const nodes = there?.nodes().map((node) => nodeView(node, there.misfit(node.protocol))) ?? [];
    return c.json({ node: there?.node ?? null, away: there?.away() ?? null, nodes }, 200);
  });
}

function nodeView(node: NodeState, misfit: string | null): NodeView {
  const { name, isOwn, awaySince, latency, clockOffset, ...rest } = node;
  return {
    name,
    own: isOwn,
    state: awaySince === null ? (misfit === null ? 'here' : 'refused') : 'away',
    refused_why: misfit,
    away_since: awaySince === null ? null : new Date(awaySince).toISOString(),
    version: rest.version,
    protocol: rest.protocol,
    labels: [...rest.labels],
    load: rest.load,
    sessions: rest.sessions,
    latency_ms: latency,
    clock_offset_ms: clockOffset,
  };
}
