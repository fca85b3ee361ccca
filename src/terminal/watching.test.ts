import { expect, test } from 'vitest';
import { openTestTerminal, showing, soon } from '../../test/support/terminal.ts';

const echo = 'process.stdin.on("data", (text) => process.stdout.write(text)); process.stdout.write("ready");';

test('tells when a pane has drawn something, to all who watch, and of no other pane', async () => {
  const terminal = openTestTerminal();
  await terminal.startNode('a', echo, { size: { columns: 40, rows: 5 } });
  await terminal.startNode('b', echo);
  await showing(terminal, 'a', 'ready');
  await showing(terminal, 'b', 'ready');
  let [one, two, other] = [0, 0, 0];
  const stop = terminal.watch('a', () => (one += 1));
  terminal.watch('a', () => (two += 1));
  terminal.watch('b', () => (other += 1));
  await soon(() => expect([one, two, other].every((count) => count > 0)).toBe(true));
  const before = other;
  await terminal.type('a', { onlyIf: 'always', steps: [{ paste: 'hello' }, { key: 'Enter' }] });
  await showing(terminal, 'a', 'hello');
  await soon(() => expect(one).toBeGreaterThan(1));
  expect(other).toBe(before);
  stop();
  const [last, shared] = [one, two];
  await terminal.type('a', { onlyIf: 'always', steps: [{ paste: 'again' }, { key: 'Enter' }] });
  await soon(() => expect(two).toBeGreaterThan(shared));
  expect(one).toBe(last);
});

test('leaves the size of the pane alone, counts as no human, and ends with the last who watches', async () => {
  const terminal = openTestTerminal();
  await terminal.startNode('a', echo, { size: { columns: 43, rows: 7 } });
  let told = 0;
  const stop = terminal.watch('a', () => (told += 1));
  await soon(() => expect(told).toBeGreaterThan(0));
  expect(await terminal.look('a')).toMatchObject({ columns: 43, rows: 7, humanActiveAt: null });
  const watchers = async () =>
    (await terminal.tmux('list-clients', '-t', '=a', '-F', '#{client_flags}')).split('\n');
  expect((await watchers()).join()).toContain('read-only');
  stop();
  await soon(async () => expect((await watchers()).join()).toBe(''));
});

test('tells of the last that was drawn, also of a pane that pours out', async () => {
  const terminal = openTestTerminal();
  const pour =
    'for (let i = 0; i < 50000; i += 1) console.log("line " + i); console.log("done"); process.stdin.resume();';
  await terminal.startNode('a', `process.stdin.once("data", () => { ${pour} })`, {
    size: { columns: 40, rows: 5 },
  });
  let told = 0;
  let shown = '';
  terminal.watch('a', async () => {
    told += 1;
    shown = (await terminal.look('a').catch(() => null))?.lines.join('\n') ?? '';
  });
  await soon(() => expect(told).toBeGreaterThan(0));
  await terminal.type('a', { onlyIf: 'always', steps: [{ key: 'Enter' }] });
  await soon(() => expect(shown).toContain('done'));
  // Fewer than one for each of a thousand lines.
  expect(told).toBeLessThan(50);
});

test('tells when the pane is gone, and of one that never was', async () => {
  const terminal = openTestTerminal();
  await terminal.startNode('a', echo);
  let [told, never] = [0, 0];
  terminal.watch('a', () => (told += 1));
  terminal.watch('nobody', () => (never += 1));
  await soon(() => expect(told).toBeGreaterThan(0));
  const before = told;
  await terminal.kill('a');
  await soon(() => expect(told).toBeGreaterThan(before));
  await soon(() => expect(never).toBeGreaterThan(0));
});

test('may begin and end while sessions come and go', async () => {
  const terminal = openTestTerminal();
  await terminal.startNode('stays', echo);
  const server = await terminal.tmux('display-message', '-p', '#{pid}');
  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const name = `s${index}`;
      await terminal.start(name, ['cat']);
      const stops = [
        terminal.watch(name, () => {}),
        terminal.watch('stays', () => {}),
        terminal.watch('nobody', () => {}),
      ];
      await terminal.kill(name);
      for (const stop of stops) stop();
    }),
  );
  expect(await terminal.tmux('display-message', '-p', '#{pid}')).toBe(server);
  expect((await terminal.panes())?.map(({ name }) => name)).toEqual(['stays']);
});
