// A session in a sandbox: what its agent cannot do, tried from inside by the scripted agent, and what it still can.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { processStartTime } from '../../src/terminal/process-identity.ts';
import { agentProcess } from '../support/agent-process.ts';
import { bubblewrapWorks } from '../support/bubblewrap.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository, type Repository } from '../support/repository.ts';
import { is, sendText, startIdle } from '../support/talk.ts';
import { until } from '../support/until.ts';

describe.skipIf(!bubblewrapWorks)('a session in a sandbox (bubblewrap works here)', () => {
  let daemon: TestDaemon;
  let repository: Repository;
  let home: string;
  let id: string;
  let other: string;
  beforeAll(async () => {
    daemon = await startTestDaemon();
    home = join(daemon.home, '..', 'home');
    mkdirSync(join(home, '.ssh'));
    writeFileSync(join(home, '.ssh', 'id'), 'the private key');
    writeFileSync(join(home, '.bashrc'), '# mine');
    repository = makeRepository(join(daemon.work, 'repository'));
    repository.git('config', 'user.name', 'Ann');
    repository.git('config', 'user.email', 'ann@example.org');
    repository.commit('First', { 'a.txt': 'a' });
    other = await startIdle(daemon, 'other');
    const { stdout, stderr } = await daemon.sm(
      ...['spawn', 'scripted', '[[say ready]]', '--json', '--name', 'boxed', '--sandbox'],
      ...['--worktree', '--working-dir', repository.root],
    );
    id = JSON.parse(stdout || `{"failed":${JSON.stringify(stderr)}}`).session_id;
    await daemon.until(id, is('turn ended'));
  });
  afterAll(() => daemon.dispose());

  /** What a command prints that the agent runs, and how it ends. */
  async function inside(command: string, session = id): Promise<string> {
    const { working_dir } = await daemon.session(session);
    const file = join(working_dir, `said-${randomUUID()}`);
    const { message_id } = await sendText(
      daemon,
      session,
      `[[bash { ${command}; } >${file} 2>&1; echo "code $?" >>${file}]]`,
    );
    await daemon.until(session, is('message answered', { message: message_id }));
    return readFileSync(file, 'utf8');
  }

  it('is told as such', async () => {
    expect((await daemon.session(id)).options.sandbox).toBe(true);
  });

  it('sees nothing of the home directory but its own', async () => {
    expect(await inside(`cat ${home}/.ssh/id`)).toContain('No such file');
    expect(await inside(`ls -A ${home}`)).not.toMatch(/ssh|bashrc/);
    await inside(`echo evil >> ${home}/.bashrc`);
    expect(readFileSync(join(home, '.bashrc'), 'utf8')).toBe('# mine');
  });

  it('sees neither token, secret, database, terminals nor the files and doors of others', async () => {
    const seen = await inside(`find ${daemon.home} | sort`);
    expect(seen.replaceAll(daemon.home, '').replaceAll(id, 'ID').trimEnd().split('\n')).toEqual([
      ...[
        '',
        '/bin',
        '/bin/sm',
        '/denials',
        '/door',
        '/door/sm.sock',
        '/handoffs',
        '/handoffs/ID',
        '/messages',
      ],
      ...[
        '/sessions',
        '/sessions/ID',
        '/sessions/ID/settings.json',
        '/sm.sock',
        '/spool',
        '/spool/ID',
        'code 0',
      ],
    ]);
    expect(await inside(`tmux -S ${daemon.home}/tmux.sock list-sessions`)).toContain('error connecting');
  });

  it('sees no other process, and its own pid is proven from outside', async () => {
    expect(await inside('ls /proc | grep -c "^[0-9]"')).toMatch(/\b\d\b/);
    expect(await inside(`kill -0 ${daemon.pid} && echo reached`)).not.toContain('reached');
    const { pid } = await agentProcess(daemon, id);
    expect(await processStartTime(pid)).not.toBeNull();
  });

  it('is itself also without its key, and cannot be another one', async () => {
    expect(await inside('sm me')).toContain('boxed');
    expect(await inside('env -u SM_CALLER sm status "still me"')).not.toContain('Error');
    expect((await daemon.session(id)).agent_status_text).toBe('still me');
    expect(await inside(`env -u SM_CALLER sm kill other`)).toContain('code 1');
    const asPerson = `curl -s -X POST --unix-socket ${daemon.home}/sm.sock http://localhost/devices/codes`;
    expect(await inside(asPerson)).toMatch(/in_sandbox|forbidden/);
    const port = `curl -s -o /dev/null -w "%{http_code}" http://127.0.0.1:${daemon.port}/sessions`;
    expect(await inside(port)).toContain('401');
    expect((await daemon.session(other)).phase).toBe('idle');
  });

  it('commits in its worktree, and cannot make git run a program outside', async () => {
    expect(
      await inside('echo b > b.txt && git add b.txt && git commit -qm Second && git log --format=%an -1'),
    ).toContain('Ann');
    expect(repository.git('log', '--all', '--format=%s')).toContain('Second');
    const git = join(repository.root, '.git');
    for (const attempt of [
      'git config core.fsmonitor /tmp/evil',
      `echo evil > ${git}/hooks/pre-commit`,
      `echo evil > ${git}/commondir`,
      'rm .git && git init',
      'echo /elsewhere > "$(git rev-parse --git-dir)/commondir"',
      'echo x > "$(git rev-parse --git-dir)/config.worktree"',
      `mkdir -p ${git}/objects/info && echo ${home}/.ssh > ${git}/objects/info/alternates`,
    ])
      expect(await inside(attempt), attempt).not.toContain('code 0');
    expect(repository.git('config', '--list', '--local')).not.toContain('evil');
    expect(existsSync(join(git, 'hooks', 'pre-commit'))).toBe(false);
    expect(existsSync(join(git, 'commondir'))).toBe(false);
    expect(existsSync(join(git, 'objects/info/alternates'))).toBe(false);
  });

  it('hands over only what it has itself', async () => {
    expect(await inside(`sm handoff ${home}/.ssh/id`)).toContain('is not in what your sandbox has');
    const { working_dir } = await daemon.session(id);
    symlinkSync(join(home, '.ssh', 'id'), join(working_dir, 'link.md'));
    expect(await inside('sm handoff link.md')).toContain('is not in what your sandbox has');
    const { message_id } = await sendText(
      daemon,
      id,
      '[[edit notes.md Go on.]] [[bash sm handoff notes.md]]',
    );
    await daemon.until(id, is('handoff done'));
    expect(message_id).toBeDefined();
    expect(await inside(`cat ${home}/.ssh/id`)).not.toContain('the private key');
  });

  it('starts children in its own sandbox, and with nothing more', async () => {
    const refused = async (args: string) => {
      expect(await inside(`sm spawn ${args}`), args).toContain('code 1');
    };
    await refused(`hello --working-dir ${home}`);
    await refused(`hello --add-dir ${home}`);
    await refused('hello --worktree');
    await refused('claude hello');
    const said = await inside('LD_PRELOAD=/no/such.so sm spawn hello --name child --json');
    expect(said).toContain('session_id');
    const child = await daemon.untilSession('child', ({ last_turn }) => last_turn !== null);
    // Whatever it says of the environment, nothing that runs outside has it.
    expect((await agentProcess(daemon, child.id)).env).not.toHaveProperty('LD_PRELOAD');
    expect(child.options.sandbox).toBe(true);
    expect(await inside(`cat ${home}/.ssh/id`, child.id)).not.toContain('the private key');
  });

  it('is in its sandbox again after a restore and under a new daemon, which it reaches', async () => {
    await daemon.crash();
    await daemon.start();
    expect(await inside('sm status "after the daemon"')).not.toContain('Error');
    const { pid } = await agentProcess(daemon, id);
    const { number } = (await daemon.events(id)).at(-1) as { number: number };
    process.kill(pid, 'SIGKILL');
    await daemon.until(id, is('session exited'), number);
    // What it has written since it began opens nothing.
    expect((await daemon.sm('restore', id)).code).toBe(0);
    expect(await inside(`cat ${home}/.ssh/id`)).not.toContain('the private key');
    expect(await inside('sm status "after the restore"')).not.toContain('Error');
    expect((await daemon.session(id)).agent_status_text).toBe('after the restore');
  });

  it('cannot start a daemon of its own while there is none', async () => {
    const { working_dir } = await daemon.session(id);
    const { message_id } = await sendText(daemon, id, `[[wait ${working_dir}/go]] [[bash sm all]]`);
    await daemon.until(id, is('message accepted', { message: message_id }));
    await daemon.stop();
    writeFileSync(join(working_dir, 'go'), '');
    await until('the answer in the spool', () => spooled().includes('cannot start it'));
    await daemon.start();
    await daemon.until(id, is('message answered', { message: message_id }));

    /** What its hooks have left for the next daemon. */
    function spooled(): string {
      const folder = join(daemon.home, 'spool', id);
      return readdirSync(folder)
        .filter((name) => name.endsWith('.hook'))
        .map((name) => readFileSync(join(folder, name), 'utf8'))
        .join('\n');
    }
  });

  it('ends with its processes when it is killed', async () => {
    const { pid } = await agentProcess(daemon, id);
    await inside('sleep 1000 >/dev/null 2>&1 & true');
    expect((await daemon.sm('kill', id)).code).toBe(0);
    expect(await processStartTime(pid)).toBeNull();
  });

  it('is refused where it could keep nothing apart', async () => {
    const refusal = async (dir: string) =>
      (await daemon.sm('spawn', 'scripted', 'hello', '--sandbox', '--working-dir', dir)).stderr;
    expect(await refusal(home)).toContain('is what it keeps the agent from');
    expect(await refusal(join(home, '..'))).toContain('is what it keeps the agent from');
    mkdirSync(join(repository.root, 'deep'), { recursive: true });
    expect(await refusal(join(repository.root, 'deep'))).toContain('works at the top of its checkout');
    const codex = await daemon.sm('spawn', 'codex', 'hello', '--sandbox');
    expect(codex.stderr).toContain('cannot be started in a sandbox');
  });
});

describe('where no sandbox can hold', () => {
  it('is refused with what to do: an open port, no bubblewrap', async () => {
    const open = await startTestDaemon({ config: { server: { port: 0, auth: 'none' } } });
    expect((await open.sm('spawn', 'scripted', 'hello', '--sandbox')).stderr).toContain(
      'take server: { auth: none } out of the configuration',
    );
    await open.dispose();
  });
});
