// The page and its files.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import type { Service } from '../service.ts';

export function pageRoutes(app: OpenAPIHono<Env>, { page }: Service): void {
  app.get('*', (c, next) => {
    const answer = page.answer(c.req.path, c.req.header('accept-encoding') ?? '');
    return answer ? Promise.resolve(answer) : next();
  });
}
