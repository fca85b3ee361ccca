// A private daemon for the demo, and what can be asked of it.

import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
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
  let last = 0;
  let over = false;

  function ask<T>(method: string, path: string, body?: object): Promise<T> {
    return new Promise((resolve, reject) => {
      const req = request(
        {
          socketPath: join(state, 'sm.sock'),
          method,
          path,
          headers: body ? { 'content-type': 'application/json' } : {},
        },
        async (res) => {
          let text = '';
          for await (const chunk of res) text += chunk;
          const answer = JSON.parse(text) as T & { detail?: string };
          if ((res.statusCode ?? 500) < 400) resolve(answer);
          else reject(new Error(answer.detail ?? text));
        },
      );
      req.on('error', reject);
      req.end(body && JSON.stringify(body));
    });
  }

  async function listen(): Promise<void> {
    while (!over) {
      const answer = await ask<{ events: EventView[] }>('GET', `/events?after=${last}&wait=5`).catch(
        () => null,
      );
      for (const event of answer?.events ?? []) hear(event);
      // While the daemon is down there is nobody to wait for.
      if (!answer) await delay(50);
    }
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
    last = event.number;
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
      const { pid } = await ask<{ pid: number }>('GET', '/health');
      process.kill(pid, 'SIGKILL');
    },
    async spawn(name, prompt) {
      const { session_id } = await ask<{ session_id: string }>('POST', '/sessions/spawn', {
        prompt,
        name,
        provider: 'scripted',
        working_dir: work,
        env,
      });
      return session_id;
    },
    sessions: async () => (await ask<{ sessions: SessionView[] }>('GET', '/sessions')).sessions,
    events: async () => (await ask<{ events: EventView[] }>('GET', '/events?limit=1000')).events,
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
      over = true;
      for (const { id } of await ask<{ sessions: SessionView[] }>('GET', '/sessions').then(
        ({ sessions }) => sessions,
        () => [],
      )) {
        await ask('POST', `/sessions/${id}/kill`).catch(() => undefined);
      }
      await sm('down').catch(() => undefined);
      await new Promise<void>((resolve) =>
        execFile('tmux', ['-S', join(state, 'tmux.sock'), 'kill-server'], () => resolve()),
      );
    },
  };
}
