// The nodes of the fleet.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { NodeState } from '../../ports/fleet.ts';
import type { NodeView } from '../../protocol/node.ts';
import type { Env } from '../env.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function nodeRoutes(app: OpenAPIHono<Env>, { fleet }: Service): void {
  app.openapi(describe('GET /nodes'), (c) => {
    const there = fleet();
    const nodes = there?.nodes().map((node) => nodeView(node, there.misfit(node.protocol))) ?? [];
    return c.json({ node: there?.node ?? null, away: there?.away() ?? null, nodes }, 200);
  });
}

function nodeView({ name, isOwn, awaySince, latency, ...rest }: NodeState, misfit: string | null): NodeView {
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
  };
}
