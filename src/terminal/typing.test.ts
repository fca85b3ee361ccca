import { expect, test } from 'vitest';
import { openTestTerminal, showing, soon, startReader } from '../../test/support/terminal.ts';
import type { Key } from '../ports/terminal.ts';
import { asText } from './typing.ts';

const bracketed = (text: string) => `\x1b[200~${text}\x1b[201~`;

test('types where the cursor was seen, and nothing once it stands elsewhere', async () => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  const { cursor } = (await terminal.look('a'))!;
  expect(cursor).toEqual({ x: 5, y: 0 });

  for (const moved of [
    { x: 4, y: 0 },
    { x: 5, y: 1 },
  ]) {
    const steps = [{ key: 'C-s' }, { paste: 'no' }, { key: 'Enter' }] as const;
    expect(await terminal.type('a', { onlyIf: { cursor: moved }, steps })).toBe('changed');
  }
  const typing = { onlyIf: { cursor }, steps: [{ paste: 'yes' }, { key: 'Enter' }] } as const;
  expect(await terminal.type('a', typing)).toBe('typed');
  await soon(() => expect(reader.received()).toBe(`${bracketed('yes')}\r`));
  expect(await terminal.tmux('list-buffers')).toBe('');
});

const ODD_TEXTS = {
  'ends in a semicolon': 'a;',
  'only a semicolon': ';',
  'quotes and shell': `'"\`$(id)\${HOME}\\ \\; #{pane_id} #(id)`,
  'key names': 'Enter',
  'a control key name': 'C-c',
  'looks like a flag': '-R',
  'tabs, CR and line feeds': '\ta\r\nb\rc\n\n',
  unicode: 'grüße 🌍 👩‍👩‍👧 ❯\u00a0 \u2028',
  'blanks only': '   ',
  'a program': 'if (a) { b="\\u0041$c" } # %end 1 2 1 ~ %% ; \'\'\' """ \\',
  'all of ASCII': Array.from({ length: 95 }, (_, code) => String.fromCharCode(32 + code))
    .join('')
    .repeat(9),
  'just short': 'ä;\n'.repeat(1_365),
  'just long': 'ä;\n'.repeat(1_366),
  '64 KB': `"$'\`;\n#{x}\\`.repeat(5_957),
  '10,000 lines': Array.from({ length: 10_000 }, (_, line) => `line ${line}`).join('\n'),
  '1 MB': 'ä"\';\t\r\n$x'.repeat(90_000),
};

test.each(Object.entries(ODD_TEXTS))('a text arrives byte for byte: %s', async (_, text) => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  expect(await terminal.type('a', { onlyIf: 'always', steps: [{ paste: text }, { key: 'Enter' }] })).toBe(
    'typed',
  );
  const expected = `${bracketed(text)}\r`;
  await soon(() => expect(reader.received().length).toBe(expected.length));
  expect(reader.received() === expected).toBe(true);
});

test('keys and several texts, short and long, keep their order; an empty text is nothing', async () => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  const long = 'long '.repeat(2_000);
  const steps = [
    { key: 'C-s' },
    { paste: 'one' },
    { key: 'Enter' },
    { paste: '' },
    { paste: long },
    { paste: 'two' },
  ] as const;
  expect(await terminal.type('a', { onlyIf: 'always', steps })).toBe('typed');
  await soon(() =>
    expect(reader.received()).toBe(`\x13${bracketed('one')}\r${bracketed(long)}${bracketed('two')}`),
  );
  expect(await terminal.tmux('list-buffers')).toBe('');
});

test('every key sends what a keyboard would', async () => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  const keys: Record<Key, string> = {
    Enter: '\r',
    Escape: '\x1b',
    'C-s': '\x13',
    'C-u': '\x15',
    'C-c': '\x03',
    Up: '\x1b[A',
    Down: '\x1b[B',
    Tab: '\t',
    Space: ' ',
    BSpace: '\x7f',
  };
  const steps = Object.keys(keys).map((key) => ({ key: key as Key }));
  await terminal.type('a', { onlyIf: 'always', steps });
  await soon(() => expect(reader.received()).toBe(Object.values(keys).join('')));
});

test('a text cannot break out of its paste', async () => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  await terminal.type('a', {
    onlyIf: 'always',
    steps: [{ paste: 'x\x1b[201~\x03!rm\x00\x9b' }, { key: 'Enter' }],
  });
  await soon(() => expect(reader.received()).toBe(`${bracketed('x␛[201~␃!rm␀\ufffd')}\r`));
  expect(asText('\t\r\n ~ä')).toBe('\t\r\n ~ä');
});

test('nothing is typed in copy mode, whatever was asked; leaving it opens the way', async () => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  await terminal.tmux('copy-mode', '-t', '=a:');
  expect(await terminal.look('a')).toMatchObject({ copyMode: true });
  expect(await terminal.type('a', { onlyIf: 'always', steps: [{ paste: 'q' }] })).toBe('changed');
  expect(await terminal.tmux('list-buffers')).toBe('');

  await terminal.leaveCopyMode('a');
  await terminal.leaveCopyMode('a');
  expect(await terminal.look('a')).toMatchObject({ copyMode: false });
  expect(await terminal.type('a', { onlyIf: 'always', steps: [{ paste: 'ok' }] })).toBe('typed');
  await soon(() => expect(reader.received()).toBe(bracketed('ok')));
});

test('typing goes to the agent’s pane, not to one that was opened beside it', async () => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  await terminal.tmux('split-window', '-t', '=a:', 'cat');
  await terminal.tmux('new-window', '-t', '=a:', 'cat');
  expect(await terminal.type('a', { onlyIf: 'always', steps: [{ paste: 'mine' }] })).toBe('typed');
  await soon(() => expect(reader.received()).toBe(bracketed('mine')));
  await showing(terminal, 'a', 'ready');
  expect(await terminal.panes()).toHaveLength(1);
});

test('says when there is no such pane, server, or living program', async () => {
  const terminal = openTestTerminal();
  const typing = { onlyIf: 'always', steps: [{ paste: 'x' }, { key: 'Enter' }] } as const;
  expect(await terminal.type('a', typing)).toBe('gone');

  await terminal.start('a', ['true']);
  await soon(async () =>
    expect(await terminal.tmux('display-message', '-p', '-t', '=a:', '#{pane_dead}')).toBe('1'),
  );
  expect(await terminal.type('a', typing)).toBe('changed');

  await terminal.start('b', ['cat']);
  expect(await terminal.look('b')).not.toBeNull();
  await terminal.tmux('kill-session', '-t', '=b');
  expect(await terminal.type('b', typing)).toBe('gone');
  expect(await terminal.tmux('list-buffers')).toBe('');
  await terminal.leaveCopyMode('b');
});

test('a long text is typed nowhere else either, and leaves nothing behind', async () => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  const steps = [{ key: 'C-u' }, { key: 'C-u' }, { paste: 'x'.repeat(10_000) }, { key: 'Enter' }] as const;
  expect(await terminal.type('a', { onlyIf: { cursor: { x: 0, y: 0 } }, steps })).toBe('changed');
  expect(await terminal.tmux('list-buffers')).toBe('');
  expect(reader.received()).toBe('');
});

test('when the control client dies on the way, only what is known is said', async () => {
  const terminal = openTestTerminal();
  const reader = await startReader(terminal, 'a');
  const server = Number(await terminal.tmux('display-message', '-p', '#{pid}'));
  const client = Number(await terminal.tmux('list-clients', '-F', '#{client_pid}'));
  // The server stands still, so that the typing is surely on its way.
  process.kill(server, 'SIGSTOP');
  const typing = terminal.type('a', { onlyIf: 'always', steps: [{ paste: 'once' }, { key: 'Enter' }] });
  process.kill(client, 'SIGKILL');
  process.kill(server, 'SIGCONT');
  const outcome = await typing.catch((error: Error) => error.message);
  expect(['typed', 'the connection to tmux was lost']).toContain(outcome);

  // The end of the client may be noticed only by the next one who uses it.
  await soon(() => terminal.type('a', { onlyIf: 'always', steps: [{ paste: 'next' }] }));
  await soon(() => expect(reader.received()).toContain(bracketed('next')));
  const times = reader.received().split(bracketed('once')).length - 1;
  expect(times).toBeLessThanOrEqual(1);
  if (outcome === 'typed') expect(times).toBe(1);
});
