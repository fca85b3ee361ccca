// A daemon for tests that answers what it was told to, on a real socket in a folder of its own.
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/run.ts';
import type { EventView } from '../../src/protocol/event.ts';
import type { InputAnswer, MessageView } from '../../src/protocol/message.ts';
import type { SessionView } from '../../src/protocol/session.ts';
import type { StreamItem } from '../../src/protocol/stream.ts';
import { type TestIo, testIo } from './io.ts';

export interface Call {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  /** The key that came with it. */
  readonly caller?: string;
}

/**
 * By `METHOD /path?query`: the answer, or a refusal with its status. By `STREAM /path?query after NUMBER`: the events and
 * other items of a live stream, which stays open.
 */
export type Answers = Record<string, unknown | ((call: Call) => unknown)>;

const codes: Record<number, string> = { 400: 'invalid', 403: 'forbidden', 404: 'not-found', 409: 'conflict' };

export class Refused {
  readonly status: number;
  readonly detail: string;
  constructor(status: number, detail: string) {
    this.status = status;
    this.detail = detail;
  }
}

export interface StandIn {
  readonly home: string;
  readonly calls: Call[];
  /** Runs `sm` against it. */
  sm(argv: readonly string[], io?: Parameters<typeof testIo>[0]): Promise<{ code: number; io: TestIo }>;
  close(): Promise<void>;
}

/** `version`: the one that it tells. */
export async function standInDaemon(answers: Answers, version?: string): Promise<StandIn> {
  const home = mkdtempSync(join(tmpdir(), 'sm-cli-'));
  const calls: Call[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const caller = request.headers['x-sm-caller'];
    const isStream = request.headers.accept === 'text/event-stream';
    const after = request.headers['last-event-id'];
    const call = {
      method: isStream ? 'STREAM' : (request.method ?? ''),
      url: `${request.url}${after === undefined ? '' : ` after ${after}`}`,
      body: text ? JSON.parse(text) : undefined,
      ...(caller !== undefined && { caller: String(caller) }),
    };
    calls.push(call);
    const known = answers[`${call.method} ${call.url}`] ?? new Refused(404, `There is no ${call.url}`);
    const answer = typeof known === 'function' ? known(call) : known;
    if (isStream && Array.isArray(answer)) {
      response.write(streamText(after === undefined ? 0 : Number(after), answer));
      return;
    }
    response.statusCode = answer instanceof Refused ? answer.status : 200;
    response.setHeader('content-type', 'application/json');
    if (version !== undefined) response.setHeader('x-sm-version', version);
    response.end(
      JSON.stringify(
        answer instanceof Refused ? { error: codes[answer.status], detail: answer.detail } : answer,
      ),
    );
  });
  await new Promise<void>((resolve) => server.listen(join(home, 'sm.sock'), resolve));
  return {
    home,
    calls,
    async sm(argv, changes = {}) {
      const io = testIo({ ...changes, env: { SM_HOME: home, ...changes.env } });
      return { code: await run(argv, io), io };
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function streamText(after: number, told: readonly (EventView | StreamItem)[]): string {
  const items = told.map((each) => ('is' in each ? (each as StreamItem) : { is: 'event', event: each }));
  const begins = items[0]?.is === 'connected' ? [] : [{ is: 'connected', after, sessions: null }];
  return [...begins, ...items].map((item) => `data: ${JSON.stringify(item)}\n\n`).join('');
}

export function session(changes: Partial<SessionView> = {}): SessionView {
  const name = changes.name ?? 'worker';
  return {
    id: '66a8c9ee',
    name,
    friendly_name: null,
    display_name: name,
    provider: 'claude',
    working_dir: '/repo/project',
    git_remote_url: null,
    parent_session_id: null,
    status: 'idle',
    phase: 'idle',
    phase_since: '2025-01-02T11:58:00.000Z',
    last_turn: null,
    silent: false,
    created_at: '2025-01-02T11:00:00.000Z',
    last_activity: '2025-01-02T11:58:00.000Z',
    tmux_session: `sm-${changes.id ?? '66a8c9ee'}`,
    current_task: null,
    tags: [],
    agent_status_text: null,
    agent_status_at: null,
    last_handoff_path: null,
    tokens_used: 0,
    transcript_path: null,
    model: null,
    checkout: null,
    options: {
      profile: null,
      permission_mode: null,
      add_dirs: [],
      mcp_configs: [],
      args: [],
      variables: [],
      sandbox: false,
    },
    forked_from: null,
    member: null,
    agent_version: null,
    screen_unrecognised_since: null,
    context: {
      number: 1,
      provider_id: null,
      began_at: '2025-01-02T11:00:00.000Z',
      used_percentage: null,
      window_size: null,
      cost_usd: null,
    },
    turn: null,
    reminder: null,
    question: null,
    limit: null,
    limits: null,
    budget: null,
    ended: null,
    stranded: null,
    waiting: { count: 0, held: null },
    lock: null,
    ...changes,
  };
}

export const inside = { CLAUDE_SESSION_MANAGER_ID: '66a8c9ee' };

export function message(changes: Partial<MessageView> = {}): MessageView {
  return {
    id: 'm1',
    session_id: '66a8c9ee',
    from: { kind: 'session', id: '340d0709', name: 'lead' },
    mode: 'sequential',
    text: 'do it',
    created_at: '2025-01-02T11:59:00.000Z',
    state: 'queued',
    why: null,
    evidence: null,
    turn: null,
    ...changes,
  };
}

export function inputAnswer(changes: Partial<InputAnswer> = {}): InputAnswer {
  return {
    status: 'queued',
    session_id: '66a8c9ee',
    delivery_mode: 'sequential',
    queue_position: null,
    message_id: 'm1',
    state: 'queued',
    why: null,
    waits_for: null,
    evidence: null,
    ...changes,
  };
}

/** `name`: `message accepted`, `said`. */
export function event(number: number, name: string, details: Record<string, unknown> = {}): EventView {
  const [type = '', part] = name.split(' ');
  const of = part && { [type === 'message' ? 'state' : 'step']: part };
  const head = { number, session_id: '66a8c9ee', at: '2025-01-02T12:00:00.000Z' };
  return { ...head, type, ...of, ...details } as unknown as EventView;
}
