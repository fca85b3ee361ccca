// One route of the protocol's table, as the checks at the door and the OpenAPI document take it.
import { createRoute, z } from '@hono/zod-openapi';
import { errorView } from '../../protocol/refusal.ts';
import { places, type Route, type RouteName, type Routes, routes } from '../../protocol/routes.ts';

type MethodOf<Name> = Name extends `${infer Method} ${string}` ? Lowercase<Method> : never;
type PathOf<Name> = Name extends `${string} ${infer Path}` ? Path : never;
type PlacesIn<Path> = Path extends `${string}{${infer Place}}${infer Rest}` ? Place | PlacesIn<Rest> : never;
type ParamsOf<Name> = z.ZodObject<{
  [Place in PlacesIn<Name> & keyof typeof places]: (typeof places)[Place];
}>;
type QueryOf<Name extends RouteName> = Routes[Name] extends {
  readonly query: infer Schema extends z.ZodObject;
}
  ? Schema
  : z.ZodObject;
type BodyOf<Name extends RouteName> = Routes[Name] extends { readonly body: infer Body extends z.ZodType }
  ? Body
  : z.ZodObject;

const refusals = Object.fromEntries(
  [400, 403, 404, 409, 503].map((status) => [
    status,
    { description: 'Refused, and why', content: { 'application/json': { schema: errorView } } },
  ]),
);

export function describe<Name extends RouteName>(name: Name) {
  const [method, path] = name.split(' ') as [string, string];
  const { summary, query, body, bodyOptional, answer, stream }: Route = routes[name];
  return createRoute({
    method: method.toLowerCase() as MethodOf<Name>,
    path: path as PathOf<Name>,
    summary,
    request: {
      params: paramsIn(path),
      ...(query && { query }),
      ...(body && { body: { required: !bodyOptional, content: { 'application/json': { schema: body } } } }),
    } as {
      params: ParamsOf<Name>;
      query: QueryOf<Name>;
      body: { required: true; content: { 'application/json': { schema: BodyOf<Name> } } };
    },
    responses: {
      200: {
        description: 'Done',
        content: {
          'application/json': { schema: answer as Routes[Name]['answer'] },
          ...(stream && { 'text/event-stream': { schema: stream } }),
        },
      },
      ...refusals,
    },
  });
}

function paramsIn(path: string): z.ZodObject {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name as keyof typeof places);
  return z.object(Object.fromEntries(names.map((name) => [name, places[name]])));
}
