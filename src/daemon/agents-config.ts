// Agents that the configuration names (`agents:`), beside those that sm knows by itself. Each is a kind of its own.
import { z } from 'zod';
import type { Card } from '../ports/provider.ts';
import { configuredCard } from '../providers/acp/configured.ts';
import { likenesses } from '../providers/acp/known.ts';
import { cards } from '../providers/cards.ts';
import { noNul, variable } from './profiles.ts';

const agent = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string().regex(noNul)).default([]),
  env: z.record(variable, z.string().regex(noNul)).default({}),
  default_model: z.string().min(1).nullable().default(null),
  /** Whose ways it has, where its program has another name. */
  like: z.enum(likenesses).nullable().default(null),
});

export const agents = z
  .record(z.string(), agent)
  .superRefine((all, context) => {
    const fault = (name: string, message: string) =>
      context.addIssue({ code: 'custom', path: [name], message });
    for (const name of Object.keys(all)) {
      if (!/^[a-z][a-z0-9-]{0,31}$/.test(name))
        fault(name, 'is not a valid name: use small letters, digits and "-"');
      if (cards.some((card) => card.name === name)) fault(name, 'is an agent that sm knows by itself');
    }
  })
  .default({});

/** The kinds that it makes. */
export const configuredCards = (all: z.infer<typeof agents>): Card[] =>
  Object.entries(all).map(([name, said]) => configuredCard(name, said));
