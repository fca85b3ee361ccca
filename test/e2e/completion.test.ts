// Completion as a person meets it: the real shells in a terminal, Tab pressed, and what then stands on the line.
import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { openTestTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const sm = join(import.meta.dirname, '../../dist/sm.cjs');
const isThere = (program: string) => spawnSync(program, ['--version']).status === 0;

let daemon: TestDaemon;
let folder: string;
let ids: Record<string, string>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sm-completion-'));
  daemon = await startTestDaemon();
  ids = {};
  for (const name of ['login', 'logout', 'my worker', 'api:one']) {
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: daemon.work,
      name,
    });
    ids[name] = body.id;
  }
  for (const shell of ['bash', 'zsh', 'fish']) {
    const { stdout } = await daemon.sm('completion', shell);
    writeFileSync(join(folder, `sm.${shell}`), stdout);
  }
  mkdirSync(join(folder, 'work', 'some-folder'), { recursive: true });
  writeFileSync(join(folder, 'work', 'some-file'), '');
  mkdirSync(join(folder, 'bin'));
  writeFileSync(join(folder, 'bin', 'sm'), `#!/bin/sh\nexec ${process.execPath} ${sm} "$@"\n`);
  chmodSync(join(folder, 'bin', 'sm'), 0o755);
  writeFileSync(
    join(folder, 'bashrc'),
    `PS1='> '\nbind 'set show-all-if-ambiguous on'\n. ${folder}/sm.bash\n`,
  );
  mkdirSync(join(folder, 'zsh'));
  writeFileSync(join(folder, 'zsh', '.zshrc'), `PROMPT='> '\nunsetopt beep\n. ${folder}/sm.zsh\n`);
  mkdirSync(join(folder, 'fish', 'fish', 'completions'), { recursive: true });
  writeFileSync(
    join(folder, 'fish', 'fish', 'config.fish'),
    `function fish_prompt; echo -n '> '; end\nset -g fish_greeting\nset -g fish_autosuggestion_enabled 0\nsource ${folder}/sm.fish\n`,
  );
});
afterAll(async () => {
  await daemon.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const env = () => ({
  PATH: `${join(folder, 'bin')}${delimiter}${process.env.PATH}`,
  HOME: folder,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  SM_HOME: daemon.home,
  ZDOTDIR: join(folder, 'zsh'),
  XDG_CONFIG_HOME: join(folder, 'fish'),
  XDG_DATA_HOME: join(folder, 'data'),
});

const shells = {
  bash: ['bash', '--noprofile', '--rcfile', 'BASHRC', '-i'],
  zsh: ['zsh', '-i'],
  fish: ['fish', '-i'],
};

describe.each(Object.entries(shells))('%s', (shell, argv) => {
  it.skipIf(!isThere(shell))(
    `completes commands, options, sessions, words and files (skipped where ${shell} is not installed)`,
    async () => {
      const terminal = openTestTerminal();
      const words = argv.map((word) => (word === 'BASHRC' ? join(folder, 'bashrc') : word));
      await terminal.start('shell', words, { env: env(), cwd: join(folder, 'work') });
      const screen = () => terminal.tmux('capture-pane', '-p', '-J', '-t', '=shell:');
      const shows = (text: string) =>
        until(`"${text}" in ${shell}`, async () => (await screen()).includes(text), {
          instead: screen,
          timeoutMs: 15_000,
        });
      await shows('>');
      /** What stands on the line when Tab was pressed behind the text. */
      const completes = async (typed: string, ...expected: string[]) => {
        await terminal.tmux('send-keys', '-t', '=shell:', '-l', typed);
        await shows(typed.trim());
        await terminal.tmux('send-keys', '-t', '=shell:', 'Tab');
        for (const text of expected) await shows(text);
        // Not C-c: it throws away what is typed after it.
        await terminal.tmux('send-keys', '-t', '=shell:', 'C-u');
        await terminal.tmux('send-keys', '-t', '=shell:', 'C-l');
        await until('an empty screen', async () => !(await screen()).includes(typed.trim()), {
          instead: screen,
        });
      };
      await completes('sm spa', 'sm spawn');
      await completes('sm help handof', 'sm help handoff');
      await completes('sm send lo', 'sm send log');
      await completes('sm send logi', 'sm send login');
      await completes('sm send login,logo', 'sm send login,logout');
      await completes('sm kill login log', 'login', 'logout');
      await completes('sm attach my', 'sm attach my\\ worker');
      await completes(`sm attach ${ids.login?.slice(0, 6)}`, `sm attach ${ids.login}`);
      await completes('sm answer api:o', 'sm answer api:one');
      await completes('sm answer api:one de', 'sm answer api:one deny');
      await completes('sm send --wait 5 logi', 'sm send --wait 5 login');
      await completes('sm answer login all', 'sm answer login allow');
      await completes('sm doctor --report logi', 'sm doctor --report login');
      await completes('sm send login --impo', 'sm send login --important');
      await completes('sm send login --file some-fi', 'sm send login --file some-file');
      await completes('sm scripted some', 'sm scripted some-folder/');
    },
  );
});

it('without curl the names come from sm itself, and without a daemon there are none', async () => {
  const bare = join(folder, 'bare');
  mkdirSync(bare);
  for (const program of ['cut', 'sh', 'bash'])
    symlinkSync(spawnSync('which', [program], { encoding: 'utf8' }).stdout.trim(), join(bare, program));
  symlinkSync(join(folder, 'bin', 'sm'), join(bare, 'sm'));
  const ask = async (home: string) => {
    const script = `. ${folder}/sm.bash; COMP_LINE='sm kill lo'; COMP_POINT=10; _sm; echo "\${COMPREPLY[*]}"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script], {
      env: { PATH: bare, HOME: folder, SM_HOME: home },
    });
    return stdout.trim();
  };
  expect(await ask(daemon.home)).toBe('login logout');
  expect(await ask(join(folder, 'nobody'))).toBe('');
});

it('names what there is for a shell that it does not know', async () => {
  expect(await daemon.sm('completion', 'fihs')).toMatchObject({
    code: 1,
    stderr: 'Error: No completion for "fihs". Did you mean fish? There is: bash, zsh, fish, sessions.\n',
  });
});
