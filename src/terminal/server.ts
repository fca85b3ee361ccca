// Starts our own tmux server: own socket, own configuration, nothing of the user's read or touched.

import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { TerminalFailed, TerminalUnavailable } from './errors.ts';
import type { Log } from './log.ts';
import { runProgram, runTmux, saysNoServer, type Tmux } from './tmux-process.ts';

/** Keeps the server alive and is what the control client attaches to. */
export const ANCHOR = 'sm-anchor';
export const MAKE_ANCHOR = ['new-session', '-d', '-s', ANCHOR, '--', 'tail', '-f', '/dev/null'];

export async function startServer(tmux: Tmux, configDir: string, log: Log): Promise<void> {
  const config = join(configDir, 'tmux.conf');
  await mkdir(dirname(tmux.socketPath), { recursive: true, mode: 0o700 });
  // Whole at once: another daemon's server may be reading it just now.
  const draft = `${config}.${randomUUID()}`;
  await writeFile(draft, configuration(), { mode: 0o600 });
  await rename(draft, config);

  const command = [tmux.program, '-u', '-S', tmux.socketPath, '-f', config, ...MAKE_ANCHOR];
  const scope = await scopePrefix();
  const [program, ...args] = [...scope, ...command] as [string, ...string[]];
  const { code, stderr } = await runProgram(program, args);
  // Another daemon may have been faster.
  if (code !== 0 && !stderr.includes('duplicate session')) {
    throw new TerminalUnavailable(`the tmux server did not start: ${stderr.trim()}`);
  }
  log.debug({ socket: tmux.socketPath, ownScope: scope.length > 0 }, 'tmux server started');
}

/**
 * Its pid and when it began. Asked by a client of its own: a server that is about to end lets nobody in any more, while
 * one that was let in before may still hear that all panes are gone.
 */
export async function serverName(tmux: Tmux): Promise<string | null> {
  const { code, stdout, stderr } = await runTmux(tmux, ['display-message', '-p', '#{pid}@#{start_time}']);
  if (code === 0) return stdout.trim();
  if (saysNoServer(stderr)) return null;
  throw new TerminalFailed(`tmux does not say which server this is: ${stderr.trim()}`);
}

/**
 * The server outlives the login or service that we are part of where the system can give it a scope of its own.
 */
async function scopePrefix(): Promise<string[]> {
  const prefix = ['systemd-run', '--user', '--scope', '--quiet', '--collect', '--'];
  const works = await runProgram(prefix[0]!, [...prefix.slice(1), 'true']).then(
    ({ code }) => code === 0,
    () => false,
  );
  return works ? prefix : [];
}

/** `-q` everywhere: an option that this version does not know must not stop the start. */
function configuration(): string {
  const options = [
    // The server survives its last session, and a pane its program, until we have seen how it ended.
    ['-sq', 'exit-empty off'],
    ['-gwq', 'remain-on-exit on'],
    ['-gq', 'destroy-unattached off'],
    // What the agent draws is what we read: enough history for a long answer. The one line of our own is only for who
    // attaches, and no clock in it redraws anything.
    ['-gq', 'status on'],
    ['-gq', 'status-interval 0'],
    ['-gq', 'status-style reverse'],
    ['-gq', `status-format[0] '${STATUS_FORMAT}'`],
    ['-gwq', "remain-on-exit-format ''"],
    ['-gq', 'history-limit 20000'],
    ['-gq', 'default-size 200x50'],
    ['-gwq', 'window-size latest'],
    // Names are ours. A program's title does not rename windows, which would also wake us each time.
    ['-gwq', 'automatic-rename off'],
    ['-gwq', 'allow-rename off'],
    // What a human who attaches expects of a modern terminal.
    ['-sq', `default-terminal ${terminalType()}`],
    ['-sq', 'escape-time 10'],
    ['-sq', 'focus-events on'],
    ['-sq', 'extended-keys on'],
    ['-sq', 'set-clipboard external'],
    ['-gwq', 'allow-passthrough on'],
    ['-gq', 'mouse on'],
  ];
  const lines = options.map(([flags, option]) => `set-option ${flags} ${option}`);
  return [...lines, TELL_OF_DEATH, GO_TO_WAITING, ''].join('\n');
}

/** What brings our prefix here: who is inside another tmux says so when he attaches; `-`: nothing does. */
const PREFIX =
  `#{?#{m:* #{client_pid}=*,#{@sm-nested}},` + `#{s|.* #{client_pid}=([^~]*)~.*|\\1|:#{@sm-nested}},C-b}`;

/** Who this is and how the others are, then how to go on: see `showStatus`. */
const STATUS_FORMAT =
  '#[align=left] #{@sm-title}  #{@sm-counts}#[align=right]' +
  `#{?#{==:${PREFIX},-},the tmux around this one keeps C-b: detach from another shell ,` +
  `#{?@sm-next,${PREFIX} n next waiting  ,}${PREFIX} d leaves }`;

/** To the session that waits for a human longest. */
const GO_TO_WAITING =
  `bind-key -T prefix n if-shell -F '#{@sm-next}' ` +
  `{ run-shell -C 'switch-client -t "=#{@sm-next}:"' } { display-message 'Nobody waits for you.' }`;

/**
 * Control clients are not told of a dead pane, but of a renamed window they are. A hook's own commands notify
 * nobody, hence the detour through run-shell, which starts no shell with -C.
 */
const TELL_OF_DEATH = `set-hook -g pane-died 'run-shell -b -C "rename-window -t =${ANCHOR}: died"'`;

function terminalType(): string {
  const directories = [
    process.env.TERMINFO,
    join(homedir(), '.terminfo'),
    ...(process.env.TERMINFO_DIRS ?? '').split(':'),
    ...['/etc/terminfo', '/lib/terminfo', '/usr/share/terminfo', '/usr/local/share/terminfo'],
  ].filter(Boolean) as string[];
  // macOS names the folders by the letter's code.
  const known = directories.some((dir) =>
    ['t', '74'].some((sub) => existsSync(join(dir, sub, 'tmux-256color'))),
  );
  return known ? 'tmux-256color' : 'screen-256color';
}
