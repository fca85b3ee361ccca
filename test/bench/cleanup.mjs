// Whatever a run of the benchmark starts or makes is taken away again, however the run ends.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const steps = [];

/** Runs `undo` at the end of the figure or of the program, whichever comes first; the last one in is the first. */
export function atTheEnd(undo) {
  steps.push(undo);
}

export async function cleanUp() {
  for (let undo = steps.pop(); undo; undo = steps.pop()) {
    try {
      await undo();
    } catch (error) {
      console.error(`cleaning up: ${error.message}`);
    }
  }
}

export function cleanUpOnSignals() {
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ]) {
    process.once(signal, () => cleanUp().finally(() => process.exit(code)));
  }
}

/** A short path, because a socket's address has little room. */
export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'smb-'));
  // A dying agent may still write its last file while we delete.
  atTheEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}

/** Ends a child and waits until it is gone. */
export function endChild(child, signal = 'SIGTERM') {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  return new Promise((resolve) => {
    child.once('exit', resolve);
    child.kill(signal);
  });
}

/** Ends one tmux server, by its own socket; with it go all its panes. */
export function endTmux(socket) {
  try {
    execFileSync('tmux', ['-S', socket, 'kill-server'], { stdio: 'ignore' });
  } catch {
    // It never ran.
  }
}
