// The real terminal and the real process.
import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';

export function processIo(): Io {
  process.stdout.on('error', leaveQuietly);
  return {
    env: process.env,
    cwd: process.cwd(),
    programDir: dirname(realpathSync(process.argv[1] as string)),
    get inputIsTerminal() {
      return process.stdin.isTTY === true;
    },
    outputIsTerminal: process.stdout.isTTY === true,
    columns: process.stdout.columns,
    now: Date.now,
    out: (text) => void process.stdout.write(text),
    err: writeError,
    readInput,
    ask,
    talk: async (prompt) => (await import('./talk.ts')).openTalk(prompt),
    runProgram,
    outputOf,
  };
}

/** `sm all | head -1`: whoever reads has seen enough. */
function leaveQuietly(error: NodeJS.ErrnoException): void {
  if (error.code === 'EPIPE') process.exit();
  throw error;
}

/** Its stream is made when it is needed: most commands never do. */
function writeError(text: string): void {
  if (process.stderr.listenerCount('error') === 0) process.stderr.on('error', leaveQuietly);
  process.stderr.write(text);
}

async function readInput(most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of process.stdin) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > most) break;
  }
  return Buffer.concat(chunks);
}

async function ask(question: string): Promise<string> {
  const { createInterface } = await import('node:readline');
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return await new Promise((resolve) => {
      terminal.once('close', () => resolve(''));
      terminal.question(question, resolve);
    });
  } finally {
    terminal.close();
  }
}

async function runProgram(program: string, args: readonly string[], env?: Io['env']): Promise<number> {
  const { spawn } = await import('node:child_process');
  // Ctrl-C is for the program that has the terminal; we stay to pass on how it ended.
  const stay = () => {};
  process.on('SIGINT', stay);
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(program, args, { stdio: 'inherit', env: { ...(env ?? process.env) } });
      child.once('error', (error) => reject(new Failure(`Cannot run ${program}: ${error.message}`)));
      child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
    });
  } finally {
    process.off('SIGINT', stay);
  }
}

async function outputOf(program: string, args: readonly string[]): Promise<string | null> {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 2_000 }, (error, stdout) => resolve(error ? null : stdout));
  });
}
