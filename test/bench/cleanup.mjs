// Whatever a run of the benchmark starts or makes is taken away again, however the run ends.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const pollMs = 20;
const patienceMs = 5_000;

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
  atTheEnd(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

/** Ends a process, or with a negative number a group of them, and waits until it is gone; after a while by force. */
export async function endProcess(pid, signal = 'SIGTERM') {
  for (let waited = 0; signalled(pid, waited === 0 ? signal : 0); waited += pollMs) {
    if (waited >= patienceMs) signalled(pid, 'SIGKILL');
    await delay(pollMs);
  }
}

/** Ends one tmux server, by its own socket, and waits for the agents in its panes: they may still have much to say. */
export async function endTmux(socket) {
  const tmux = (...args) => spawnSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' }).stdout.trim();
  // A pane's first process leads the group of all that runs in it.
  const groups = tmux('list-panes', '-a', '-F', '#{pane_pid}').split('\n').filter(Boolean).map(Number);
  tmux('kill-server');
  await Promise.all(groups.map((pid) => endProcess(-pid, 'SIGHUP')));
}

function signalled(pid, signal) {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    return false;
  }
}
