import { expect, test } from 'vitest';
import { openTestTerminal, showing, soon } from '../../test/support/terminal.ts';

const idle = 'process.stdin.resume(); process.stdout.write("ready");';

test('a pane gets another size while nobody is attached, and keeps it; whoever attaches gets his own', async () => {
  const terminal = openTestTerminal();
  await terminal.startNode('a', idle, { size: { columns: 80, rows: 24 } });
  await showing(terminal, 'a', 'ready');
  // Somebody who only looks is nobody.
  const stop = terminal.watch('a', () => {});
  expect(await terminal.resize('a', { columns: 47, rows: 33 })).toMatchObject({ columns: 47, rows: 33 });
  expect(await terminal.look('a')).toMatchObject({ columns: 47, rows: 33 });
  stop();
  const elsewhere = openTestTerminal();
  const attach = ['env', '-u', 'TMUX', 'tmux', '-S', terminal.options.socketPath, 'attach', '-t', '=a'];
  await elsewhere.start('human', attach, { size: { columns: 101, rows: 31 } });
  // One row is for the line below.
  await soon(async () => expect(await terminal.look('a')).toMatchObject({ columns: 101, rows: 30 }));
  // His size is his.
  expect(await terminal.resize('a', { columns: 47, rows: 33 })).toMatchObject({ columns: 101, rows: 30 });
  await elsewhere.kill('human');
  await soon(async () => expect(await terminal.tmux('list-clients', '-t', '=a')).toBe(''));
  expect(await terminal.resize('a', { columns: 60, rows: 20 })).toMatchObject({ columns: 60, rows: 20 });
  expect(await terminal.resize('none', { columns: 60, rows: 20 })).toBeNull();
});
