// The terminal of a session of another node: what its pane shows, as it changes, and what is typed here, typed there.
import { createTypist } from '../client/typist.ts';
import type { ScreenItem, ScreenView } from '../protocol/screen.ts';
import type { SessionView } from '../protocol/session.ts';
import type { TypedView } from '../protocol/typing.ts';
import type { Key } from '../screen/keys.ts';
import { openTty } from '../screen/tty.ts';
import type { Client } from './daemon/client.ts';
import type { Io } from './io.ts';
import { oneLine } from './text/safe.ts';
import { nameAndId } from './text/session.ts';
import { cut } from './text/width.ts';

export async function openTerminalElsewhere(io: Io, client: Client, session: SessionView): Promise<number> {
  const { id } = session;
  const leave = new AbortController();
  let problem: string | null = null;
  let prefixed = false;
  let code = 0;
  const seen: { screen: ScreenView | null } = { screen: null };

  const typist = createTypist(
    async (typed) => void (await client.ask('POST /sessions/{ref}/typing', { ref: id, body: { typed } })),
    (said) => {
      if (said === problem) return;
      problem = said;
      status();
    },
  );
  const tty = openTty(process.stdin, process.stdout, {
    key: press,
    resized: paint,
    ready: (blank) => blank && paint(),
    gone(exitCode) {
      code = exitCode;
      leave.abort();
    },
  });
  tty.mouse(false);

  function press(key: Key): void {
    const wasPrefixed = prefixed;
    prefixed = !wasPrefixed && key.kind === 'key' && key.key === 'ctrl+b';
    if (prefixed) return;
    if (wasPrefixed && key.kind === 'key' && key.key === 'd') {
      leave.abort();
      return;
    }
    // The prefix twice is the key itself.
    const typed = wasPrefixed && key.kind === 'key' && key.key === 'ctrl+b' ? { key: 'C-b' } : typedBy(key);
    if (typed) typist.type(typed);
  }

  /** What is shown begins with this row: the cursor is always among them. */
  function top(screen: ScreenView): number {
    const room = tty.size.rows - 1;
    const lowest = Math.max(
      screen.cursor.y,
      screen.lines.findLastIndex((line) => line !== ''),
    );
    return Math.max(0, Math.min(lowest - room + 1, screen.cursor.y));
  }

  function paint(): void {
    const { screen } = seen;
    const rows = [...Array(Math.max(0, tty.size.rows - 1)).keys()];
    tty.write(`\x1b[2J${screen ? rows.map((row) => rowText(screen, row)).join('') : ''}`);
    status();
  }

  function rowText(screen: ScreenView, row: number): string {
    return `\x1b[${row + 1};1H\x1b[0m${screen.lines[top(screen) + row] ?? ''}\x1b[0m\x1b[K`;
  }

  function status(): void {
    const text = problem ?? `${nameAndId(session)}: detach with C-b d; its agent goes on`;
    tty.write(`\x1b[${tty.size.rows};1H\x1b[0;7m${cut(oneLine(text), tty.size.columns)}\x1b[0m\x1b[K`);
    const { screen } = seen;
    if (screen) tty.write(`\x1b[${screen.cursor.y - top(screen) + 1};${screen.cursor.x + 1}H\x1b[?25h`);
  }

  try {
    status();
    for await (const item of client.screen(id, leave.signal)) {
      if (item.is === 'none') break;
      seen.screen = item.is === 'screen' ? item.screen : seen.screen && changed(seen.screen, item);
      paint();
    }
  } finally {
    tty.close();
  }
  const now = await client.ask('GET /sessions/{ref}', { ref: id }, { start: false }).catch(() => undefined);
  const goes = now?.away_since === undefined ? 'goes on' : 'is on a node that is away';
  if (now && !now.ended) io.out(`${nameAndId(session)} ${goes}. Come back with: sm attach ${oneLine(id)}\n`);
  return code;
}

function changed(screen: ScreenView, { cursor, lines }: Extract<ScreenItem, { is: 'rows' }>): ScreenView {
  return { ...screen, cursor, lines: screen.lines.map((line, row) => lines[row] ?? line) };
}

const names: Readonly<Record<string, string>> = {
  enter: 'Enter',
  escape: 'Escape',
  tab: 'Tab',
  backspace: 'BSpace',
  delete: 'DC',
  up: 'Up',
  down: 'Down',
  left: 'Left',
  right: 'Right',
  home: 'Home',
  end: 'End',
  pageup: 'PPage',
  pagedown: 'NPage',
  space: 'Space',
};
const held: Readonly<Record<string, string>> = { ctrl: 'C-', alt: 'M-', shift: 'S-' };

/** What a key here is to the tmux there; null: nothing. */
export function typedBy(key: Key): TypedView | null {
  if (key.kind === 'paste') return key.text === '' ? null : { paste: key.text };
  if (key.kind !== 'key') return null;
  if ([...key.key].length === 1) return { text: key.key };
  if (key.key === 'shift+tab') return { key: 'BTab' };
  const parts = key.key.split(/\+(?=.)/);
  const last = parts.pop() ?? '';
  const prefix = parts.map((part) => held[part] ?? '').join('');
  const name = names[last] ?? (/^[\x21-\x7e]$/.test(last) ? last : undefined);
  return name === undefined ? null : { key: prefix + name };
}
