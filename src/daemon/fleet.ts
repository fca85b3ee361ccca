// Joins the fleet, where one is configured. Without it, nothing of NATS is loaded.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { phaseOf } from '../domain/core/session.ts';
import type { CrashPoints } from '../engine/crash-points.ts';
import type { PostEffect } from '../engine/outbox.ts';
import type { FleetService } from '../fleet/fleet.ts';
import { readHub, reload, welcome } from '../hub/hub.ts';
import type { FleetStore } from '../ports/fleet.ts';
import type { Log } from '../ports/log.ts';
import type { Power } from '../server/allowed.ts';
import type { createApp } from '../server/app.ts';
import { receiveLetter } from '../server/letters.ts';
import { isParked } from '../server/messages.ts';
import { waitsFor } from '../server/routes/messages.ts';
import type { Service } from '../server/service.ts';
import { eventView } from '../server/view.ts';
import type { Config } from './config.ts';
import { fleetConfig } from './fleet-config.ts';
import { parseYaml } from './yaml.ts';

export type { FleetService };

interface Needs {
  readonly app: ReturnType<typeof createApp>;
  readonly service: Service;
  readonly log: Log;
  readonly crash: CrashPoints;
}

export async function joinFleet(
  config: NonNullable<Config['fleet']>,
  { app, service, log, crash }: Needs,
): Promise<FleetService> {
  const { startFleet } = await import('../fleet/fleet.ts');
  const { password_file, key_file, allow: _, allow_nodes: __, ...rest } = config;
  const secret = (file: string | null) => (file === null ? null : readFileSync(file, 'utf8').trim());
  const { stateDir, clock } = service;
  const isHub = readHub(stateDir)?.own === config.node;
  return startFleet({
    config: { ...rest, password: secret(password_file), seed: secret(key_file) },
    hub: isHub
      ? {
          welcome: (node, key) => welcome(stateDir, clock.now(), node, key),
          reload: () => void reload(stateDir),
        }
      : null,
    version: service.version,
    store: service.store,
    engine: service.engine,
    clock: service.clock,
    log,
    texts: service.viewTexts,
    eventView,
    receive: (from, letter) => receiveLetter(service, from, letter),
    parked: (session, message) => {
      const state = service.engine.get(session);
      return state && isParked(state, message) ? { phase: waitsFor(phaseOf(state.session)) } : null;
    },
    allows: service.allows,
    isSeen: [config.allow, ...Object.values(config.allow_nodes)].some((each) => each.includes('look')),
    answer: async (from, { method, path, body, accept, after, from: session }) => {
      const text = body === null ? undefined : JSON.stringify(body);
      const request = new Request(`http://fleet${path}`, {
        method,
        ...(text !== undefined && method !== 'GET' && { body: text }),
        headers: {
          ...(text !== undefined && {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(text)),
          }),
          ...(accept !== null && { accept }),
          ...(after !== null && { 'last-event-id': after }),
        },
      });
      return app.fetch(request, { via: 'fleet', fleet: { node: from, from: session } });
    },
    crash: (point) => crash(`${point}@${config.node}`),
  });
}

/** The fleet that this machine takes part in: as configured, or else as `sm fleet join` has kept it. */
export function fleetIn(config: Config, home: string): Config['fleet'] {
  const file = join(home, 'fleet', 'node.yaml');
  if (config.fleet || !existsSync(file)) return config.fleet;
  return parseYaml(fleetConfig, readFileSync(file, 'utf8'), file).data;
}

export const allowedTo = (fleet: Config['fleet'], node: string): readonly Power[] =>
  fleet ? (fleet.allow_nodes[node] ?? fleet.allow) : [];

/**
 * A notice for a session of another node: owed in the store from here on, so that no lane waits for the network. `of`: whom it is about,
 * as that node calls it. Wherever it names that session, it names it so.
 */
export async function oweAbroad(
  store: FleetStore,
  of: string,
  { to, message, text: said, mode }: PostEffect,
): Promise<void> {
  const at = to.lastIndexOf('@');
  const [id = ''] = of.split('@');
  const text = said.replaceAll(new RegExp(`(?<![\\w@])${id}(?![\\w@])`, 'g'), of);
  const body = JSON.stringify({ kind: 'post', id: message, to: to.slice(0, at), text, mode });
  await store.owe([{ id: message, node: to.slice(at + 1), body, expiresAt: null }]);
}
