import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTestTerminal, showing, soon, type TestTerminal } from '../../test/support/terminal.ts';
import { LaunchRefused } from './errors.ts';
import { processStartTime } from './process-identity.ts';

/** Lets a program report itself, and returns what it said. */
async function report(
  terminal: TestTerminal,
  { args = [], env = {}, cwd }: { args?: string[]; env?: Record<string, string>; cwd?: string },
): Promise<{ env: Record<string, string>; args: string[]; cwd: string; pid: number }> {
  const out = join(terminal.home, 'report.json');
  const program = `
    const { env, argv, pid } = process;
    const text = JSON.stringify({ env, args: argv.slice(1), cwd: process.cwd(), pid });
    require('node:fs').writeFileSync(${JSON.stringify(out)}, text);
    process.stdout.write('reported');
    process.stdin.resume();
  `;
  const argv = [process.execPath, '-e', program, '--', ...args];
  await terminal.start('reporter', argv, { env, ...(cwd && { cwd }) });
  await showing(terminal, 'reporter', 'reported');
  return JSON.parse(readFileSync(out, 'utf8'));
}

test('the process sees the environment it was given and nothing else', async () => {
  const terminal = openTestTerminal();
  const env = {
    PATH: '/usr/bin:/bin',
    EMPTY: '',
    LINES_IN_IT: 'a\nb\'c"d\\e$f`g\n',
    UNICODE: 'grüße 🌍',
    'BASH_FUNC_x%%': '() { :; }',
    'with space': 'x',
    PWD: '/elsewhere',
    SHLVL: '7',
    IFS: 'x',
    UID: '12',
    record: 'not the launcher’s',
  };
  const seen = await report(terminal, { env });
  const { TERM, TMUX, TMUX_PANE, ...rest } = seen.env;
  expect(rest).toEqual(env);
  expect(TERM).toMatch(/^(tmux|screen)-256color$/);
  expect(TMUX).toContain(terminal.options.socketPath);
  expect(TMUX_PANE).toMatch(/^%\d+$/);
});

test('an empty environment stays empty, and a foreign TERM does not survive', async () => {
  const seen = await report(openTestTerminal(), { env: { TERM: 'xterm-kitty', TMUX: '/other,1,0' } });
  expect(Object.keys(seen.env).sort()).toEqual(['TERM', 'TMUX', 'TMUX_PANE']);
  expect(seen.env.TERM).not.toBe('xterm-kitty');
});

test('arguments arrive exactly', async () => {
  const args = [
    '',
    'a b',
    "it's",
    '"',
    ';',
    'end;',
    '$HOME',
    '`id`',
    '#{pane_id}',
    '#(id)',
    '-x',
    'a\nb\n',
    '~',
  ];
  args.push('x'.repeat(100_000));
  expect((await report(openTestTerminal(), { args })).args).toEqual(args);
});

test('a single word with spaces and quotes is a program, not a shell command', async () => {
  const terminal = openTestTerminal();
  const program = join(terminal.home, `my 'odd' program; true`);
  writeFileSync(program, '#!/bin/sh\necho ran "$#"\nread x\n');
  chmodSync(program, 0o755);
  await terminal.start('odd', [program]);
  await showing(terminal, 'odd', 'ran 0');
});

test('the working directory may have any name, and nothing in it is run', async () => {
  const terminal = openTestTerminal();
  const cwd = join(terminal.home, `#(touch oops) #{pane_id} 'q'`);
  mkdirSync(cwd);
  expect((await report(terminal, { cwd })).cwd).toBe(cwd);
  expect(readdirSync(cwd)).toEqual([]);
});

test('the pid is the agent’s own, and with its start time names that process', async () => {
  const terminal = openTestTerminal();
  const { pid } = await report(terminal, {});
  const [pane] = (await terminal.panes()) ?? [];
  expect(pane).toMatchObject({ name: 'reporter', pid, dead: false, exitCode: null, exitSignal: null });
  expect(pane?.startedAt).toBe(await processStartTime(pid));
  expect(pane?.startedAt).toMatch(/\d/);
});

test('secrets are neither on disk nor in the process list once the agent runs', async () => {
  const terminal = openTestTerminal();
  await report(terminal, { env: { TOKEN: 'hush-4711' } });
  const files = readdirSync(terminal.options.privateDir);
  expect(files.filter((file) => file.includes('start'))).toEqual([]);
  const commandLines = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .map((pid) => {
      try {
        return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      } catch {
        return ''; // ended meanwhile
      }
    });
  expect(commandLines.filter((line) => line.includes('hush-4711'))).toEqual([]);
});

test('a pane that is there already is returned as it is', async () => {
  const terminal = openTestTerminal();
  const first = await terminal.start('once', ['cat']);
  expect(await terminal.start('once', ['false'], { cwd: '/does/not/matter/now' })).toEqual(first);
});

test('launching the same pane several times at once makes one', async () => {
  const terminal = openTestTerminal();
  const panes = await Promise.all(Array.from({ length: 5 }, () => terminal.start('once', ['cat'])));
  expect(new Set(panes.map(({ pid }) => pid)).size).toBe(1);
  expect(await terminal.panes()).toEqual([panes[0]]);
  const leftBehind = () => readdirSync(terminal.options.privateDir).filter((file) => file.includes('start'));
  await soon(() => expect(leftBehind()).toEqual([]));
});

test('a program that does not exist ends with 127 and says so on the screen', async () => {
  const terminal = openTestTerminal();
  await terminal.start('missing', ['/no/such program']);
  await soon(async () => expect(await terminal.panes()).toMatchObject([{ dead: true, exitCode: 127 }]));
  // tmux 3.2 moves it up, to say itself that the pane is dead.
  expect(await terminal.capture('missing', 60)).toContain('/no/such program');
});

test('what cannot be launched is refused with the reason', async () => {
  const terminal = openTestTerminal();
  const refusal = (argv: string[], more: object) => expect(terminal.start('bad', argv, more)).rejects;
  await refusal(['cat'], { cwd: '/no/such/directory' }).toThrow('/no/such/directory');
  await refusal(['cat'], { cwd: '/no/such/directory' }).toBeInstanceOf(LaunchRefused);
  await refusal([], {}).toThrow('argv is empty');
  await refusal(['a=b'], {}).toThrow('a=b');
  await refusal(['cat', '\0'], {}).toThrow('NUL');
  await refusal(['cat'], { name: 'a.b:c' }).toThrow('a.b:c');
  await refusal(['cat'], { name: 'sm-anchor' }).toThrow('sm-anchor');
  expect(await terminal.panes()).toBeNull();
});

test('a launcher that is not there gives a dead pane, not a hanging launch', async () => {
  const terminal = openTestTerminal({ launcherPath: '/no/such/launch.sh' });
  expect(await terminal.start('lost', ['cat'])).toMatchObject({ dead: true });
});

test('the size is the one asked for', async () => {
  const terminal = openTestTerminal();
  await terminal.start('small', ['cat'], { size: { columns: 61, rows: 17 } });
  expect(await terminal.look('small')).toMatchObject({ columns: 61, rows: 17 });
});
