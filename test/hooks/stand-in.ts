// A stand-in for the daemon's socket, and the hook programs run by a real shell.
import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const hooksDir = fileURLToPath(new URL('../../hooks/', import.meta.url));
export const sessionId = 'a1b2c3d4';

export interface Posted {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export type Behaviour = { readonly status: number; readonly answer?: string } | 'hangs' | 'dies';

export interface StandIn {
  readonly home: string;
  readonly posted: Posted[];
  /** The limits in seconds that curl was run with, in their order. */
  limits(): number[];
  /** All the arguments that curl was run with, which everybody on a machine can read. */
  arguments(): string;
  /** How it takes facts, and what it does to a hook that waits for an answer. */
  listen(behaviour?: Behaviour, toWaiting?: Behaviour): Promise<void>;
  /** The names of the facts in the spool, in their order. */
  spooled(): string[];
  /** The body of a spooled fact. */
  read(name: string): string;
  close(): Promise<void>;
}

/**
 * On a busy machine everything takes longer than the limits that the hook programs give to curl. So these are noted
 * down instead. A limit is kept, a little longer, at the one address whose wait a test wants to see end; all other
 * waits are as good as for ever.
 */
const patientCurl = `#!/bin/sh
for word; do [ "$last" = --max-time ] && printf '%s\\n' "$word" >>"$HOME/limits"; last=$word; done
printf '%s\\n' "$*" >>"$HOME/arguments"
PATH=\${PATH#"$HOME/curl:"}
limit=3000
[ "$last" != "$TEST_LIMITED" ] || limit=3
exec curl "$@" --max-time "$limit"
`;

export function createStandIn(): StandIn {
  const home = mkdtempSync(join(tmpdir(), 'sm-hook-'));
  const spool = join(home, 'spool', sessionId);
  const posted: Posted[] = [];
  const limits = join(home, 'limits');
  mkdirSync(join(home, 'curl'));
  writeFileSync(join(home, 'curl', 'curl'), patientCurl, { mode: 0o755 });
  let server: Server | undefined;
  return {
    home,
    posted,
    listen(toFact = { status: 204 }, toWaiting = { status: 204 }) {
      server = createServer((req, res) => {
        const chunks: Buffer[] = [];
        req.on('data', (chunk: Buffer) => chunks.push(chunk));
        req.on('end', () => {
          const path = req.url ?? '';
          posted.push({ path, headers: req.headers, body: Buffer.concat(chunks).toString('utf8') });
          const behaviour = path.startsWith('/hooks/answer') ? toWaiting : toFact;
          if (behaviour === 'dies') req.socket.destroy();
          else if (behaviour !== 'hangs') res.writeHead(behaviour.status).end(behaviour.answer);
        });
      });
      return new Promise((resolve) => server?.listen(join(home, 'sm.sock'), resolve));
    },
    arguments: () => readFileSync(join(home, 'arguments'), 'utf8'),
    limits: () => (existsSync(limits) ? readFileSync(limits, 'utf8').trim().split('\n').map(Number) : []),
    spooled: () => namesIn(spool),
    read: (name) => readFileSync(join(spool, name), 'utf8'),
    async close() {
      server?.closeAllConnections();
      await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
      rmSync(home, { recursive: true, force: true });
    },
  };
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly program?: 'hook.sh' | 'ask.sh' | 'tool.sh' | 'edit.sh' | 'status-line.sh';
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly shell?: readonly string[];
}

/** Runs a hook program the way an agent does: with the hook's JSON as its standard input. */
export function runHook({ home }: StandIn, input: string, options: RunOptions = {}): Promise<Ran> {
  const { program = 'hook.sh', args = [], env = {}, shell = ['sh'] } = options;
  return run([...shell, join(hooksDir, program), ...args], input, {
    PATH: `${home}/curl:${process.env.PATH}`,
    HOME: home,
    SM_HOME: home,
    CLAUDE_SESSION_MANAGER_ID: sessionId,
    ...env,
  });
}

/** Runs a program with only that environment, and a PATH. */
export function run(argv: readonly string[], input: string, env: Record<string, string>): Promise<Ran> {
  const [command = 'sh', ...args] = argv;
  const child = spawn(command, args, { env: { PATH: process.env.PATH, ...env } });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  // A program that leaves without reading closes its end.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
