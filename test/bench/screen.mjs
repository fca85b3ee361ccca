// `sm watch` as somebody sees it: the real program on a pty of its own (`script` holds the other side), its keys given as
// bytes and what it writes taken as bytes.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { atTheEnd, endProcess } from './cleanup.mjs';
import { dist, programs } from './paths.mjs';
import { childrenOf } from './processes.mjs';

const patienceMs = 30_000;

/** `heap`: a file that `heap.cjs` writes to. */
export const openScreen = ({ env }, { heap, ...size } = {}) =>
  onPty(
    `exec '${process.execPath}' ${heap ? `--expose-gc --require '${join(programs, 'heap.cjs')}'` : ''} '${join(dist, 'sm.cjs')}' watch`,
    { env: { ...env, ...(heap && { BENCH_HEAP: heap }) }, ...size },
  );

export function onPty(command, { env, rows = 50, columns = 160 }) {
  const size = `stty rows ${rows} cols ${columns}`;
  const child = spawn('script', ['-qfec', `${size}; ${command}`, '/dev/null'], {
    env: { ...env, TERM: 'xterm-256color', LANG: 'C.UTF-8', SHELL: '/bin/sh' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  atTheEnd(() => endProcess(child.pid));
  let bytes = 0;
  let told = () => {};
  child.stdout.on('data', (chunk) => {
    bytes += chunk.length;
    told(chunk.toString());
  });

  /** Does something, and answers after how many milliseconds what was written since then fits. */
  function after(act, fits) {
    return new Promise((resolve, reject) => {
      let written = '';
      const late = setTimeout(
        () => reject(new Error(`nothing fits in what was written: ${JSON.stringify(written.slice(-500))}`)),
        patienceMs,
      );
      const began = performance.now();
      told = (chunk) => {
        written += chunk;
        if (!fits(written)) return;
        const took = performance.now() - began;
        told = () => {};
        clearTimeout(late);
        resolve(took);
      };
      Promise.resolve(act()).catch(reject);
    });
  }
  const type = (text) => void child.stdin.write(text);
  return {
    after,
    type,
    /** Until the first byte of what it writes then. */
    press: (key) =>
      after(
        () => type(key),
        (written) => written !== '',
      ),
    get bytes() {
      return bytes;
    },
    /** The program itself; `script` has the shell that became it as its child. */
    get pid() {
      return childrenOf(child.pid)[0];
    },
  };
}
