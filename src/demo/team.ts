// A private daemon for the demo, and what can be asked of it.

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '../client/client.ts';
import { transportTo } from '../client/transport.ts';
import type { EventView } from '../protocol/event.ts';
import { eventName } from '../protocol/event-name.ts';
import type { SessionView } from '../protocol/session.ts';

export interface Team {
  start(): Promise<void>;
  /** Kills the daemon like a power cut. */
  crash(): Promise<void>;
  spawn(name: string, prompt: string): Promise<string>;
  sessions(): Promise<SessionView[]>;
  events(): Promise<EventView[]>;
  follow(listener: (event: EventView, name: string) => void): void;
  /** Waits for an event that has not come yet when this is called, or has come since the last one waited for. */
  until(fits: (event: EventView) => boolean): Promise<EventView>;
  sm(...args: string[]): Promise<string>;
  dispose(): Promise<void>;
}

const patience = 45_000;

export function createTeam({ root, work, dist }: { root: string; work: string; dist: string }): Team {
  const state = join(root, 'state');
  const config = join(root, 'config.yaml');
  mkdirSync(join(root, 'home'), { recursive: true });
  writeFileSync(config, 'server: { port: 0 }\n');
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(root, 'home'),
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
    SM_HOME: state,
    SM_CONFIG: config,
  };
  const listeners = new Set<(event: EventView, name: string) => void>();
  const names = new Map<string, string>();
  const backlog: EventView[] = [];
  let waiting: { fits: (event: EventView) => boolean; found: (event: EventView) => void } | null = null;
  let listening: Promise<void> | null = null;
  const over = new AbortController();
  const client = createClient(transportTo({ socket: join(state, 'sm.sock') }));

  async function listen(): Promise<void> {
    for await (const item of client.stream({ after: 0, signal: over.signal }))
      if (item.is === 'event') hear(item.event);
  }

  function sm(...args: string[]): Promise<string> {
    return new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [join(dist, 'sm.cjs'), ...args],
        { env, cwd: work },
        (error, stdout, stderr) =>
          error ? reject(new Error(stderr || error.message)) : resolve(stdout.trimEnd()),
      );
    });
  }

  function hear(event: EventView): void {
    if (eventName(event) === 'session created') names.set(event.session_id, String(event.name));
    for (const listener of listeners) listener(event, names.get(event.session_id) ?? event.session_id);
    backlog.push(event);
    hand();
  }

  function hand(): void {
    while (waiting && backlog.length > 0) {
      const event = backlog.shift() as EventView;
      if (!waiting.fits(event)) continue;
      const { found } = waiting;
      waiting = null;
      found(event);
    }
  }

  return {
    // An agent that calls sm may have started it before us, which is as good.
    async start() {
      await sm('up');
      if (!listening) listening = listen();
    },
    async crash() {
      const { pid } = await client.ask('GET /health');
      process.kill(pid, 'SIGKILL');
    },
    async spawn(name, prompt) {
      const body = { prompt, name, provider: 'scripted', working_dir: work, env };
      return (await client.ask('POST /sessions/spawn', { body })).session_id;
    },
    sessions: async () => (await client.ask('GET /sessions')).sessions,
    events: async () => (await client.ask('GET /events', { query: { limit: 1_000 } })).events,
    follow: (listener) => void listeners.add(listener),
    until(fits) {
      return new Promise((resolve, reject) => {
        const timer = setTimeout(
          () => reject(new Error('an expected event did not happen in time')),
          patience,
        );
        waiting = {
          fits,
          found(event) {
            clearTimeout(timer);
            resolve(event);
          },
        };
        hand();
      });
    },
    sm,
    async dispose() {
      over.abort();
      const { sessions } = await client.ask('GET /sessions').catch(() => ({ sessions: [] }));
      for (const { id } of sessions)
        await client.ask('POST /sessions/{ref}/kill', { ref: id }).catch(() => undefined);
      await sm('down').catch(() => undefined);
      await new Promise<void>((resolve) =>
        execFile('tmux', ['-S', join(state, 'tmux.sock'), 'kill-server'], () => resolve()),
      );
    },
  };
}
