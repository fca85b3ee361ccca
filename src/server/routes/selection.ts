// The sessions that selectors mean, to be shown and then acted on by their ids.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { emptyState } from '../../domain/core/change.ts';
import { isSelector } from '../../protocol/selector.ts';
import type { Env } from '../env.ts';
import { find } from '../resolve.ts';
import { type Fits, fitsSelector } from '../selection.ts';
import type { Service } from '../service.ts';
import { sessionViews } from '../view.ts';
import { describe } from './describe.ts';

export function selectionRoutes(app: OpenAPIHono<Env>, service: Service): void {
  const { engine, store } = service;
  const view = sessionViews(service.provider);

  app.openapi(describe('GET /selection'), async (c) => {
    const { of, retired } = c.req.valid('query');
    const wanted = of.split(',').map((ref) => fits(service, ref.trim()));
    const gone = retired ? (await store.retired(1_000)).map(emptyState) : [];
    const found = [...engine.all(), ...gone].filter(({ session }) => wanted.some((each) => each(session)));
    return c.json({ sessions: found.map(view) }, 200);
  });
}

function fits(service: Service, ref: string): Fits {
  const one = (each: string) => find(service, each).session;
  if (isSelector(ref)) return fitsSelector(ref, one);
  const { id } = one(ref);
  return (session) => session.id === id;
}
