// The desk: what the desktop shows, by its own program; where there is none, the bell of every terminal that is attached
// to a session.
import { open } from 'node:fs/promises';
import type { Clock } from '../ports/clock.ts';
import type { Notification, Sender, Sent } from '../ports/notifications.ts';
import { runProgram } from '../telling/run-program.ts';

const longest = 10;

export interface DesktopDeps {
  readonly platform: string;
  readonly env: Readonly<Record<string, string>>;
  /** The terminals of people who look at a session now. */
  terminals(): Promise<readonly string[]>;
  readonly clock: Clock;
}

export function createDesktop({ platform, env, terminals, clock }: DesktopDeps): Sender {
  async function show(argv: readonly string[], signal: AbortSignal): Promise<Sent | null> {
    const cwd = env.HOME ?? '/';
    const { why } = await runProgram({
      argv,
      env,
      cwd,
      input: '',
      seconds: longest,
      signal,
      clock,
      started: () => {},
    });
    if (why === null) return { is: 'done' };
    return why.endsWith('is not there')
      ? null
      : { is: 'failed', why: `${argv[0]}: ${why}`, again: signal.aborted };
  }

  async function ring(): Promise<Sent> {
    const all = await terminals();
    const rung = await Promise.all(all.map(bell));
    if (rung.includes(true)) return { is: 'done' };
    return { is: 'no-device', why: 'no desktop was found, and nobody is attached to a session' };
  }

  return {
    recipients: ['desk'],
    async send(_, notification, signal) {
      const argv =
        platform === 'darwin' ? onMac(notification) : hasDesktop(env) ? onLinux(notification) : null;
      return (argv && (await show(argv, signal))) ?? ring();
    },
  };
}

const hasDesktop = (env: Readonly<Record<string, string>>): boolean =>
  Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.DBUS_SESSION_BUS_ADDRESS);

const onLinux = ({ title, text, occasion }: Notification): string[] => [
  'notify-send',
  '--app-name=sm',
  `--urgency=${occasion === 'waiting' ? 'critical' : 'normal'}`,
  '--',
  title,
  // Some desktops take it for markup.
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
];

/** The words are arguments, and no part of the script. */
const onMac = ({ title, text }: Notification): string[] => [
  'osascript',
  '-e',
  'on run {heading, words}',
  '-e',
  'display notification words with title heading',
  '-e',
  'end run',
  '--',
  title,
  text,
];

async function bell(terminal: string): Promise<boolean> {
  try {
    const file = await open(terminal, 'w');
    await file.write('\x07').finally(() => file.close());
    return true;
  } catch {
    // Whoever sat there has left.
    return false;
  }
}
