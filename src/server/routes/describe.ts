// Describes a route for the checks at the door and for the OpenAPI document, in one line.
import { createRoute, type z } from '@hono/zod-openapi';
import { errorView } from '../../protocol/view-schemas.ts';

interface Shape<Params, Query, Body, Answer> {
  readonly summary: string;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** A body may be left out altogether where nothing in it is needed. */
  readonly bodyOptional?: boolean;
  readonly answer: Answer;
}

const refusals = Object.fromEntries(
  [400, 403, 404, 409, 503].map((status) => [
    status,
    { description: 'Refused, and why', content: { 'application/json': { schema: errorView } } },
  ]),
);

export function describe<
  M extends 'get' | 'post' | 'put' | 'patch' | 'delete',
  P extends string,
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends z.ZodType,
>(method: M, path: P, shape: Shape<Params, Query, Body, Answer>) {
  const { summary, params, query, body, bodyOptional, answer } = shape;
  return createRoute({
    method,
    path,
    summary,
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(body && { body: { required: !bodyOptional, content: { 'application/json': { schema: body } } } }),
    } as {
      params: Params;
      query: Query;
      body: { required: true; content: { 'application/json': { schema: Body } } };
    },
    responses: {
      200: { description: 'Done', content: { 'application/json': { schema: answer } } },
      ...refusals,
    },
  });
}
