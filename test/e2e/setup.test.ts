// The first five minutes of a new user, and the last: an empty home directory, setup, agents, uninstall.
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { endAgents } from '../support/daemon.ts';
import { openTestTerminal } from '../support/terminal.ts';
import { until } from '../support/until.ts';

const program = join(import.meta.dirname, '../../dist/sm.cjs');

let root: string;
let home: string;
let env: Record<string, string>;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-first-'));
  home = join(root, 'home');
  mkdirSync(home);
  mkdirSync(join(root, 'bin'));
  env = {
    PATH: `${join(root, 'bin')}${delimiter}${process.env.PATH}`,
    HOME: home,
    SHELL: '/bin/bash',
    TERM: 'xterm-256color',
    LANG: 'C.UTF-8',
  };
});
afterEach(async () => {
  await sm('down');
  await endAgents(join(home, '.local', 'state', 'sm', 'tmux.sock'));
  rmSync(root, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
});

function sm(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...args], { env, cwd: home }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

function script(name: string, text: string): void {
  writeFileSync(join(root, 'bin', name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(root, 'bin', name), 0o755);
}

const put = (path: string, text: string) => {
  mkdirSync(join(home, path, '..'), { recursive: true });
  writeFileSync(join(home, path), text);
};
const read = (path: string) => readFileSync(join(home, path), 'utf8');
/** Every file and folder, with what is in it; the state directory as one, and without what the agent keeps itself. */
function tree(): Record<string, string> {
  const entries = readdirSync(home, { recursive: true, withFileTypes: true });
  const found = entries
    .map((entry) => [join(entry.parentPath, entry.name).slice(home.length + 1), entry] as const)
    .filter(([path]) => !/^(\.local\/state\/sm\/|\.scripted-agent)/.test(path))
    .map(([path, entry]) => [path, entry.isDirectory() ? 'folder' : readFileSync(join(home, path), 'utf8')]);
  return Object.fromEntries(found);
}

/** Stand in for the service managers, which do not run here: they write down what they are told. `start` is what a start does. */
function fakeSystemd(start = ':'): () => string[] {
  const log = join(root, 'systemd.log');
  writeFileSync(log, '');
  const enabled = join(root, 'enabled');
  script(
    'systemctl',
    `echo "systemctl $*" >>${log}
case "$*" in *is-active*) kill -0 "$(cat ${root}/pid)" ;; esac 2>/dev/null || exit 3
case $2 in start) ${start} ;; enable) touch ${enabled} ;; disable) rm -f ${enabled} ;; is-enabled) [ -e ${enabled} ] ;; esac`,
  );
  const lingers = join(root, 'lingers');
  script(
    'loginctl',
    `echo "loginctl $*" >>${log}
case $1 in
  show-user) if [ -e ${lingers} ]; then echo yes; else echo no; fi ;;
  enable-linger) touch ${lingers} ;;
  disable-linger) rm ${lingers} ;;
esac`,
  );
  return () => {
    const lines = readFileSync(log, 'utf8').trim().split('\n');
    writeFileSync(log, '');
    return lines.filter((line) => !/^$|show-environment|is-enabled|is-active|show-user/.test(line));
  };
}

describe('an empty home directory', () => {
  it('setup, three agents, everything killed, everything back by the service, uninstall: nothing is left but the data', async () => {
    script('claude', "echo '2.1.325 (Claude Code)'");
    const told = fakeSystemd();
    put('.bashrc', 'alias ll=ls');
    put('.claude/.credentials.json', '{}');
    put('.codex-work/config.toml', '');
    const before = tree();

    const first = await sm('setup', '--yes');
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const lines = first.stdout.split('\n');
    for (const line of [
      'config: Wrote ~/.config/sm/config.yaml',
      'completion: Wrote ~/.local/share/sm/completion.bash',
      'completion: Added 2 lines to ~/.bashrc',
      'service: Wrote ~/.config/systemd/user/sm.service',
      'service: Ran systemctl --user enable sm.service',
      'service: Ran systemctl --user restart sm.service',
      'service: Ran loginctl enable-linger',
      'skill: Wrote ~/.claude/skills/sm/SKILL.md',
      'skill: Wrote ~/.codex-work/skills/sm/SKILL.md',
      'Ready. Start an agent with: sm claude. Take all of this back with: sm uninstall',
    ])
      expect(lines).toContain(line);
    expect(first.stdout).toMatch(
      /^ok {3}accounts {7}Claude Code in ~\/\.claude, signed in\n +Codex in ~\/\.codex-work, no login/m,
    );
    expect(told()).toEqual([
      'systemctl --user daemon-reload',
      'systemctl --user enable sm.service',
      'systemctl --user restart sm.service',
      'loginctl enable-linger',
    ]);

    const done = tree();
    const again = await sm('setup', '--yes');
    expect(again.stdout).toMatch(
      /config: the configuration is .*\ncompletion: completion is there for bash\nservice: the service sm\.service starts at boot\nskill: /,
    );
    expect(tree()).toEqual(done);
    expect((await sm('doctor')).stdout).toMatch(/^ok {3}setup {10}config, completion, service, skill; /m);

    // Any free port: another test may use the common one.
    put('.config/sm/config.yaml', `server: { port: 0 }\n${read('.config/sm/config.yaml')}`);
    expect((await sm('profiles')).stdout).toMatch(/^codex-work +codex .*account ~\/\.codex-work$/m);
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three']) {
      const started = await sm('scripted', '--name', name, '--json');
      ids.push((JSON.parse(started.stdout) as { id: string }).id);
    }
    // As after a power cut: nothing runs, and the state is all there is.
    const { pid } = JSON.parse((await sm('up', '--json')).stdout) as { pid: number };
    process.kill(pid, 'SIGKILL');
    await endAgents(join(home, '.local', 'state', 'sm', 'tmux.sock'));
    const daemon = await startByUnit(read('.config/systemd/user/sm.service'));
    const ended = once(daemon, 'exit');
    try {
      const back = await sm('restore', '--all');
      expect([back.code, back.stderr]).toEqual([0, '']);
      expect(back.stdout.match(/^(one|two|three) \(\w+\) is back/gm)).toHaveLength(3);
      await until('three agents that are idle', async () => {
        const { sessions } = JSON.parse((await sm('all', '--json')).stdout) as {
          sessions: { id: string; phase: string }[];
        };
        return sessions.filter(({ id, phase }) => ids.includes(id) && phase === 'idle').length === 3;
      });

      put('.config/sm/config.yaml', read('.config/sm/config.yaml').replace(/^.*\n/, ''));
      told();
      const refused = await sm('uninstall', '--yes');
      expect([refused.code, tree()]).toEqual([1, done]);
      expect(refused.stdout).toMatch(
        /3 agents are running: .*one \(\w+\).* End them first: sm kill \w+ \w+ \w+, or sm uninstall --kill/,
      );

      const last = await sm('uninstall', '--kill', '--yes');
      expect(last).toMatchObject({ code: 0, stderr: '' });
      expect(last.stdout).toMatch(
        /Kept your data in ~\/\.local\/state\/sm\. To remove it: rm -r ~\/\.local\/state\/sm\nLast step/,
      );
      await ended;
    } finally {
      daemon.kill('SIGKILL');
    }
    expect(told()).toEqual([
      'loginctl disable-linger',
      'systemctl --user stop sm.service',
      'systemctl --user disable sm.service',
      'systemctl --user daemon-reload',
    ]);
    const { '.local': _, '.local/state': __, '.local/state/sm': data, ...left } = tree();
    expect([left, data]).toEqual([before, 'folder']);
    expect(readdirSync(join(home, '.local', 'state', 'sm'))).toContain('sm.db');
  });

  it('setup that is killed half-way leaves nothing that uninstall does not know', async () => {
    fakeSystemd();
    put('.bashrc', 'alias ll=ls');
    put('.claude/settings.json', '{}');
    const before = tree();
    const enabling = readFileSync(join(root, 'bin', 'systemctl'), 'utf8');
    script('systemctl', enabling.replace('enable) ', 'enable) kill -9 $PPID; '));
    await sm('setup', '--yes');
    expect(tree()).toHaveProperty(['.config/systemd/user/sm.service']);
    expect(tree()).not.toHaveProperty(['.claude/skills/sm/SKILL.md']);
    script('systemctl', enabling);
    expect((await sm('uninstall', '--yes')).code).toBe(0);
    const { '.local': _, '.local/state': __, ...left } = tree();
    expect(left).toEqual(before);
  });

  it('a file that was changed since is kept, and one part can be taken back alone', async () => {
    put('.bashrc', '');
    await sm('setup', 'config', 'completion', '--yes');
    put('.config/sm/config.yaml', 'server: { port: 0 }\n');
    const alone = await sm('uninstall', 'completion', '--yes');
    expect(alone.stdout).toBe(
      'sm uninstall\nRemoved 2 lines from ~/.bashrc\nRemoved ~/.local/share/sm/completion.bash\nDone.\n',
    );
    expect((await sm('uninstall', '--yes')).stdout).toMatch(
      /^Kept ~\/\.config\/sm\/config\.yaml: it was changed since\n[\s\S]*^Kept your configuration, ~\/\.config\/sm\/config\.yaml$/m,
    );
    expect(read('.config/sm/config.yaml')).toBe('server: { port: 0 }\n');
  });

  it('each part is taken back alone, in any order, and all others stay as they are', async () => {
    fakeSystemd();
    put('.bashrc', 'alias ll=ls');
    put('.claude/settings.json', '{}');
    /** Without the state directory, which is there from the first command on. */
    const own = () => {
      const { '.local': _, '.local/state': __, '.local/state/sm': ___, ...rest } = tree();
      return rest;
    };
    const before = own();
    const trees = [before];
    const parts = ['config', 'completion', 'service', 'skill'];
    for (const part of parts) {
      expect(await sm('setup', part, '--yes'), part).toMatchObject({ code: 0, stderr: '' });
      expect(own(), part).not.toEqual(trees.at(-1));
      trees.push(own());
    }
    // The last first, step by step back to the beginning.
    for (const part of [...parts].reverse()) {
      trees.pop();
      expect(await sm('uninstall', part, '--yes'), part).toMatchObject({ code: 0, stderr: '' });
      expect(own(), part).toEqual(trees.at(-1));
    }
    // The first first: each takes only its own along.
    await sm('setup', ...parts, '--yes');
    const all = own();
    const files = new Map<string, string[]>();
    for (const part of parts) {
      const there = own();
      await sm('uninstall', part, '--yes');
      const left = own();
      files.set(
        part,
        Object.keys(there).filter((path) => there[path] !== left[path] && there[path] !== 'folder'),
      );
    }
    expect(own()).toEqual(before);
    expect(Object.fromEntries(files)).toEqual({
      config: ['.config/sm/config.yaml'],
      completion: ['.bashrc', '.local/share/sm/completion.bash'],
      service: ['.config/systemd/user/sm.service'],
      skill: ['.claude/skills/sm/SKILL.md'],
    });
    expect(Object.keys(all).length).toBeGreaterThan(Object.keys(before).length);
  });

  it('without a terminal it asks for --yes, and --dry-run changes nothing', async () => {
    expect(await sm('setup')).toMatchObject({ code: 1, stderr: expect.stringContaining('sm setup --yes') });
    expect((await sm('setup', 'compltion')).stderr).toContain('Did you mean completion?');
    expect((await sm('setup', '--dry-run')).stdout).toMatch(
      /config: would write ~\/\.config\/sm\/config\.yaml\n[\s\S]*Nothing was changed\.\n$/,
    );
    expect(tree()).toEqual({});
  });

  it('completion that setup installed works in a new shell', async () => {
    await sm('setup', 'completion', '--yes');
    const asked = `COMP_LINE='sm spa'; COMP_POINT=6; _sm; echo "completes: \${COMPREPLY[*]}"`;
    const { stdout } = spawnSync('bash', ['-i', '-c', asked], { env, encoding: 'utf8' });
    expect(stdout).toContain('completes: spawn');
  });
});

describe('a configuration that is there', () => {
  const own = '# mine\nserver:\n  port: 0\n';

  it('is not touched without asking', async () => {
    put('.config/sm/config.yaml', own);
    const { stdout } = await sm('setup', 'config', '--yes');
    expect(stdout).toContain('config: left as it is\n');
    expect(tree()).toEqual({ '.config': 'folder', '.config/sm': 'folder', '.config/sm/config.yaml': own });
  });

  it('at a terminal the difference is shown, a copy is kept, and uninstall puts it back', async () => {
    put('.config/sm/config.yaml', own);
    const terminal = openTestTerminal();
    await terminal.start('setup', [process.execPath, program, 'setup', 'config'], { env, cwd: home });
    await terminal.tmux('resize-window', '-t', '=setup:', '-x', '100', '-y', '200');
    const screen = () => terminal.tmux('capture-pane', '-p', '-J', '-t', '=setup:');
    const shows = (text: RegExp) =>
      until(`${text}`, async () => text.test(await screen()), { instead: screen, timeoutMs: 30_000 });
    await shows(/Your settings stay as they are/);
    expect(await screen()).toMatch(/\+ # {3}port: 8420/);
    await terminal.tmux('send-keys', '-t', '=setup:', 'y');
    await shows(
      /Wrote ~\/\.config\/sm\/config\.yaml; what was there is in[│\s]+~\/\.config\/sm\/config\.yaml\.before-sm-setup/,
    );
    expect(read('.config/sm/config.yaml').startsWith(`${own}\n# --- Every key of sm`)).toBe(true);
    expect((await sm('doctor')).stdout).toMatch(/^ok {3}configuration/m);

    expect((await sm('uninstall', '--yes')).stdout).toContain(
      'Put back ~/.config/sm/config.yaml as it was\n',
    );
    const { '.local': _, '.local/state': __, ...left } = tree();
    expect(left).toEqual({ '.config': 'folder', '.config/sm': 'folder', '.config/sm/config.yaml': own });
  });
});

describe('the service', () => {
  const unit = () => join(home, '.config', 'systemd', 'user', 'sm.service');

  it('starts the daemon that a command needs; where it cannot, the command does', async () => {
    const pid = join(root, 'pid');
    const told = fakeSystemd(
      `sh -c "exec $(sed -n 's/^ExecStart=//p' "$HOME/.config/systemd/user/$3")" >/dev/null 2>&1 & echo $! >${pid}`,
    );
    put('.config/sm/config.yaml', 'server: { port: 0 }\n');
    await sm('setup', 'service', '--yes');
    told();
    const up = JSON.parse((await sm('up', '--json')).stdout) as { pid: number };
    expect([told(), up.pid]).toEqual([
      ['systemctl --user start sm.service'],
      Number(readFileSync(pid, 'utf8')),
    ]);
    await sm('down');

    script('systemctl', 'exit 1');
    const again = JSON.parse((await sm('up', '--json')).stdout) as { pid: number; status: string };
    expect(again.status).toBe('healthy');
    rmSync(join(root, 'bin', 'systemctl'));
    await sm('down');
    const without = await new Promise<string>((resolve) => {
      const bare = { ...env, PATH: '/nowhere' };
      execFile(process.execPath, [program, 'up'], { env: bare }, (_, stdout) => resolve(stdout));
    });
    expect(without).toMatch(/^sm is running/);
  });

  const verifies = spawnSync('systemd-analyze', ['--version']).status === 0;
  it.skipIf(!verifies)('has a unit that systemd accepts (skipped without systemd-analyze)', async () => {
    fakeSystemd();
    await sm('setup', 'service', '--yes');
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--user', '--man=no', unit()], {
      env: { ...env, PATH: process.env.PATH ?? '', XDG_RUNTIME_DIR: root },
      encoding: 'utf8',
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

/** Starts the command of the unit as systemd would: nothing of the login is there but what the unit says. */
async function startByUnit(unit: string): Promise<ChildProcess> {
  const value = (line: string) => line.slice(line.indexOf('=') + 1);
  const words = (text: string) =>
    [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, word = '']) =>
      word.replaceAll('%%', '%').replaceAll('$$', '$').replace(/\\(.)/g, '$1'),
    );
  const said = Object.fromEntries(
    unit
      .split('\n')
      .filter((line) => line.startsWith('Environment='))
      .map((line) => (words(value(line))[0] as string).split(/=(.*)/s, 2)),
  );
  const [command = '', ...args] = words(unit.split('\n').find((line) => line.startsWith('ExecStart=')) ?? '');
  const child = spawn(command, args, { env: { ...said, HOME: home }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk;
      if (output.includes('sm is up')) resolve();
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}: ${output}`)));
  });
  return child;
}
