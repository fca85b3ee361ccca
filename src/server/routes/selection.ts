// The sessions that selectors mean, to be shown and then acted on by their ids.
import type { OpenAPIHono } from '@hono/zod-openapi';
import { isSelector } from '../../protocol/selector.ts';
import type { Env } from '../env.ts';
import { find } from '../resolve.ts';
import { type Fits, fitsSelector } from '../selection.ts';
import type { Service } from '../service.ts';
import { listText, rowsText } from '../session-list.ts';
import { describe } from './describe.ts';

export function selectionRoutes(app: OpenAPIHono<Env>, service: Service): void {
  app.openapi(describe('GET /selection'), async (c) => {
    const { of, ...listed } = c.req.valid('query');
    const text = await listText(service, listed, fitsAny(service, of));
    return c.body(text, 200, { 'content-type': 'application/json' }) as never;
  });

  app.openapi(describe('GET /rows'), async (c) => {
    const { of, here, retired } = c.req.valid('query');
    const listed = { retired, fleet: !here };
    const text = await rowsText(service, listed, of === undefined ? undefined : fitsAny(service, of));
    return c.body(text, 200, { 'content-type': 'application/json' }) as never;
  });
}

function fitsAny(service: Service, of: string): Fits {
  const wanted = of.split(',').map((ref) => fits(service, ref.trim()));
  return (session) => wanted.some((each) => each(session));
}

function fits(service: Service, ref: string): Fits {
  const one = (each: string) => find(service, each).session;
  if (isSelector(ref)) return fitsSelector(ref, one);
  const { id } = one(ref);
  return (session) => session.id === id;
}
