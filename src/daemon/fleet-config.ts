// `fleet:` in the configuration: what this machine is called, and where the servers of the fleet are.
import { z } from 'zod';
import { powers } from '../server/allowed.ts';

const name = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,31}$/, 'must be of a-z, 0-9 and -, at most 32 characters');
const absolute = z.string().startsWith('/');
const server = z.url({
  protocol: /^(nats|tls)$/,
  error: 'must be a URL, such as nats://127.0.0.1:4222 or tls://hub.example.com:4222',
});

export const fleetConfig = z
  .strictObject({
    /** What this machine is called. */
    node: name,
    servers: z.array(server).min(1),
    user: z.string().min(1).nullable().default(null),
    /** A file with the password, so that the configuration holds no secret. */
    password_file: absolute.nullable().default(null),
    /** The same with a key: a file with its secret half, in place of user and password. */
    key_file: absolute.nullable().default(null),
    /** A file, in PEM: who vouches for the servers. */
    ca: absolute.nullable().default(null),
    /** Words by which others choose this machine. */
    labels: z.array(z.string().min(1).max(64)).max(32).default([]),
    /** What other nodes may do here. */
    allow: z.array(z.enum(powers)).default(['look', 'send']),
    /** The same for one of them, in place of that. */
    allow_nodes: z.record(name, z.array(z.enum(powers))).default({}),
    /** How many servers of a cluster keep what the fleet keeps. */
    replicas: z.union([z.literal(1), z.literal(3), z.literal(5)]).default(1),
  })
  .refine(({ servers }) => servers.every((each) => each.startsWith('tls:') || isLoopback(each)), {
    path: ['servers'],
    message:
      'must begin with tls:// unless it is on this machine: what agents say would go over the network in the clear',
  })
  .nullable()
  .default(null);

const isLoopback = (url: string): boolean =>
  ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
