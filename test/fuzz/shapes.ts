// Values that fit a schema, as far as that can be drawn: most requests must come past the first check to be worth something.
import { z } from '@hono/zod-openapi';
import type { Dice } from './dice.ts';
import { hostileText, type Json } from './hostile.ts';

interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly Json[];
  readonly const?: Json;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Draw = (d: Dice) => Json;

/** `words`: texts that mean something, such as the names of sessions. */
export function drawing(schema: z.ZodType, words: (d: Dice) => string): Draw {
  const shape = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema;
  return (d) => draw(d, shape, words);
}

function draw(d: Dice, schema: Schema, words: (d: Dice) => string): Json {
  const either = schema.anyOf ?? schema.oneOf;
  if (either) return draw(d, d.pick(either), words);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return d.pick(schema.enum);
  const { type } = schema;
  switch (Array.isArray(type) ? d.pick(type as string[]) : type) {
    case 'object':
      return object(d, schema, words);
    case 'array':
      return Array.from({ length: d.below(4) }, () => draw(d, schema.items ?? {}, words));
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1_000 } = schema;
      return d.once(4)
        ? d.pick([minimum, maximum])
        : minimum + d.below(Math.min(maximum - minimum, 1_000) + 1);
    }
    case 'boolean':
      return d.once(2);
    case 'null':
      return null;
    default:
      return d.once(8) ? hostileText(d) : words(d);
  }
}

function object(d: Dice, schema: Schema, words: (d: Dice) => string): Json {
  const { properties = {}, required = [], additionalProperties: more } = schema;
  const wanted = Object.entries(properties).filter(([name]) => required.includes(name) || d.once(3));
  const fields = wanted.map(([name, part]): [string, Json] => [name, draw(d, part, words)]);
  if (typeof more === 'object' && d.once(2)) fields.push([words(d), draw(d, more, words)]);
  return Object.fromEntries(fields);
}
