// A child process that we exchange lines with.

import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { cannotRun } from './tmux-process.ts';

export interface LineTransport {
  send(line: string): void;
  onLine(listener: (line: string) => void): void;
  /** Called once, when the process has ended, with an error if it never ran; after the last line. */
  onClose(listener: (why: { stderr: string; error: Error | null }) => void): void;
  /** Ends the process. */
  close(): void;
}

export function spawnLines(program: string, args: readonly string[]): LineTransport {
  // A control client hands its environment to tmux before it is let in; a small one makes that short.
  const child = spawn(program, args, { cwd: '/', env: { PATH: process.env.PATH } });
  let stderr = '';
  let error: Error | null = null;

  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {}); // the process has ended: `close` tells
  child.once('error', (cause) => {
    error = cannotRun(program, cause);
  });

  return {
    send: (line) => {
      child.stdin.write(`${line}\n`);
    },
    onLine: (listener) => splitLines(child.stdout.setEncoding('utf8'), listener),
    onClose: (listener) => {
      child.once('close', () => listener({ stderr, error }));
    },
    close: () => {
      child.stdin.end();
      child.kill();
    },
  };
}

/** Only a line feed ends a line: readline would also break at the CR, U+2028 and the like that a screen may show. */
function splitLines(stream: Readable, listener: (line: string) => void): void {
  let rest = '';
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) listener(line);
  });
}
