import { expect, test } from 'vitest';
import { openTestTerminal, showing, soon } from '../../test/support/terminal.ts';

/** A program that shows the text and stays. */
const show = (text: string) => `process.stdout.write(${JSON.stringify(text)}); process.stdin.resume();`;
const isOld = async ({ tmux }: { tmux(...words: string[]): Promise<string> }) =>
  (await tmux('display-message', '-p', '#{version}')).startsWith('3.2');

test('an empty pane has all its rows and the cursor in the corner', async () => {
  const terminal = openTestTerminal();
  await terminal.start('a', ['cat'], { size: { columns: 40, rows: 5 } });
  expect(await terminal.look('a')).toMatchObject({
    lines: ['', '', '', '', ''],
    styled: ['', '', '', '', ''],
    cursor: { x: 0, y: 0 },
    columns: 40,
    rows: 5,
    copyMode: false,
    dead: false,
    humanActiveAt: null,
  });
});

test('shows text, styles, trailing blanks, title and cursor of the same moment', async () => {
  const terminal = openTestTerminal();
  const text = '\x1b]2;a|title ✳ #{pane_id}\x07one  \r\n❯\u00a0\x1b[7m \x1b[0m\x1b[2;3H';
  await terminal.startNode('a', show(text), { size: { columns: 40, rows: 4 } });
  await showing(terminal, 'a', '❯');
  const screen = (await terminal.look('a'))!;
  // tmux 3.2 cannot tell them from what was never written.
  const asWritten = ['one  ', '❯\u00a0 ', '', ''];
  expect(screen.lines).toEqual(
    (await isOld(terminal)) ? asWritten.map((line) => line.replace(/ +$/, '')) : asWritten,
  );
  expect(screen.styled[1]).toMatch(/^❯\u00a0\x1b\[7m \x1b\[0m/);
  expect(screen.cursor).toEqual({ x: 2, y: 1 });
  expect(screen.title).toBe('a|title ✳ #{pane_id}');
});

test('a screen that imitates tmux’s protocol is just a screen', async () => {
  const terminal = openTestTerminal();
  const lines = ['%end 1 2 1', '%error 1 2 1', '%begin 1 2 1', '%exit', 'last'];
  await terminal.startNode('a', show(lines.join('\r\n')), { size: { columns: 40, rows: 6 } });
  await showing(terminal, 'a', 'last');
  expect((await terminal.look('a'))?.lines).toEqual([...lines, '']);
});

test('answers many looks at once, each with its own pane', async () => {
  const terminal = openTestTerminal();
  const names = Array.from({ length: 10 }, (_, index) => `pane-${index}`);
  await Promise.all(names.map((name) => terminal.startNode(name, show(`I am ${name}.`))));
  await Promise.all(names.map((name) => showing(terminal, name, `I am ${name}.`)));
  const screens = await Promise.all([...names, ...names].map((name) => terminal.look(name)));
  expect(screens.map((screen) => screen?.lines[0])).toEqual(
    [...names, ...names].map((name) => `I am ${name}.`),
  );
});

test('the capture reaches into the history', async () => {
  const terminal = openTestTerminal();
  const lines = Array.from({ length: 300 }, (_, index) => `line ${index}`);
  await terminal.startNode('a', show(lines.join('\r\n')), { size: { columns: 40, rows: 10 } });
  await showing(terminal, 'a', 'line 299');
  expect(await terminal.capture('a', 2)).toBe('line 298\nline 299');
  expect(await terminal.capture('a', 250)).toBe(lines.slice(50).join('\n'));
  expect(await terminal.capture('a', 10_000)).toBe(lines.join('\n'));
});

test('a dead pane keeps its last screen until it is killed', async () => {
  const terminal = openTestTerminal();
  await terminal.start('a', ['sh', '-c', 'echo last words; exit 1'], { size: { columns: 40, rows: 3 } });
  await soon(async () => expect(await terminal.look('a')).toMatchObject({ dead: true }));
  // tmux 3.2 adds a line of its own, which moves them up.
  if (await isOld(terminal)) expect(await terminal.capture('a', 5)).toMatch(/^last words\n+Pane is dead /);
  else {
    expect((await terminal.look('a'))?.lines).toEqual(['last words', '', '']);
    expect(await terminal.capture('a', 5)).toBe('last words');
  }
  await terminal.kill('a');
  expect(await terminal.look('a')).toBeNull();
  expect(await terminal.capture('a', 5)).toBeNull();
  expect(await terminal.panes()).toEqual([]);
});

test('there is nothing to see without a server', async () => {
  const terminal = openTestTerminal();
  expect(await terminal.look('a')).toBeNull();
  expect(await terminal.capture('a', 5)).toBeNull();
  expect(await terminal.panes()).toBeNull();
  await terminal.leaveCopyMode('a');
  await terminal.kill('a');
});

test('tells when an attached human last pressed a key', async () => {
  const terminal = openTestTerminal();
  const elsewhere = openTestTerminal();
  await terminal.start('a', ['cat']);

  const attach = ['env', '-u', 'TMUX', 'tmux', '-S', terminal.options.socketPath, 'attach', '-t', '=a'];
  const before = Date.now();
  await elsewhere.start('human', attach);
  await soon(async () => expect((await terminal.look('a'))?.humanActiveAt).not.toBeNull());
  await elsewhere.type('human', { onlyIf: 'always', steps: [{ paste: 'hello' }] });
  await showing(terminal, 'a', 'hello');
  const { humanActiveAt } = (await terminal.look('a'))!;
  expect(humanActiveAt).toBeGreaterThanOrEqual(before);
  expect(humanActiveAt).toBeLessThanOrEqual(Date.now());

  await elsewhere.kill('human');
  await soon(async () => expect(await terminal.look('a')).toMatchObject({ humanActiveAt: null }));
});
