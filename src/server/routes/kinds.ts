// The kinds of agents that this daemon can start.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import type { Service } from '../service.ts';
import { describe } from './describe.ts';

export function kindRoutes(app: OpenAPIHono<Env>, { providerNames, provider }: Service): void {
  app.openapi(describe('GET /kinds'), (c) => {
    const all = providerNames.flatMap((name) => provider(name) ?? []);
    const kinds = all.map(({ name, title, capabilities: { pane }, configured }) => ({
      ...{ name, title, pane },
      configured: configured !== undefined,
    }));
    return c.json({ kinds }, 200);
  });
}
