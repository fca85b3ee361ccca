// What the shells complete names of sessions from: lines, because a shell reads no JSON, and asked with curl, because a
// person who has pressed Tab does not wait for a program to start.
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from '../env.ts';
import type { Service } from '../service.ts';
import { sessionViews } from '../view.ts';

export function completionRoutes(app: OpenAPIHono<Env>, { engine, provider }: Service): void {
  const view = sessionViews(provider);
  app.get('/completion/sessions', (c) => {
    const lines = Array.from(engine.all(), view).map(
      ({ display_name, id, phase }) => `${display_name}\t${id}\t${phase}\n`,
    );
    return c.text(lines.join(''));
  });
}
