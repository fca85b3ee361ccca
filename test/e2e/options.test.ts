// The options of a session: what its agent is started with, through every start, on the scripted agent.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentProcess, hasWords } from '../support/agent-process.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
  mkdirSync(join(daemon.work, 'other'));
  writeFileSync(join(daemon.work, 'mcp.json'), '{"mcpServers":{}}');
});
afterAll(() => daemon.dispose());

const all = [
  ...['--permission-mode', 'acceptEdits', '--model', 'big-one'],
  ...['--add-dir', 'other', '--mcp-config', 'mcp.json'],
];

async function spawn(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await daemon.sm('spawn', 'scripted', '[[say ready]]', '--json', ...args);
  expect(code, stderr).toBe(0);
  const { session_id: id } = JSON.parse(stdout);
  await daemon.until(id, is('turn ended'));
  return id;
}

async function refusal(...args: string[]): Promise<string> {
  const { code, stderr } = await daemon.sm('spawn', 'scripted', 'hello', ...args);
  expect(code).toBe(1);
  return stderr;
}

/** The files in the state directory in which a text stands. */
const filesWith = (text: string): string[] => {
  try {
    return execFileSync('grep', ['-rlaF', '--', text, daemon.home], { encoding: 'utf8' }).trim().split('\n');
  } catch {
    return [];
  }
};

const variableFiles = (id: string) => {
  const folder = join(daemon.home, 'sessions', id);
  return readdirSync(folder)
    .filter((name) => name.startsWith('env-'))
    .map((name) => join(folder, name));
};

/** Its agent dies, and it is restored from another shell. */
async function restart(id: string, ...args: string[]): Promise<void> {
  const { pid } = await agentProcess(daemon, id);
  const { number } = (await daemon.events(id)).at(-1) as { number: number };
  process.kill(pid, 'SIGKILL');
  await daemon.until(id, is('session exited'), number);
  const { code, stderr } = await daemon.sm('restore', id, ...args);
  expect(code, stderr).toBe(0);
}

describe('the options of a session', () => {
  it('reach its agent, and again after a restore', async () => {
    const id = await spawn(...all, '--env', 'MINE=first=1', '--env', 'TOO=', '--', '--name', 'a b');
    const isComplete = async () => {
      const agent = await agentProcess(daemon, id);
      expect(hasWords(agent, '--permission-mode', 'acceptEdits')).toBe(true);
      expect(hasWords(agent, '--model', 'big-one')).toBe(true);
      expect(hasWords(agent, '--add-dir', join(daemon.work, 'other'))).toBe(true);
      expect(hasWords(agent, '--mcp-config', join(daemon.work, 'mcp.json'))).toBe(true);
      expect(hasWords(agent, '--name', 'a b')).toBe(true);
      expect(agent.env).toMatchObject({ MINE: 'first=1', TOO: '' });
      return agent.pid;
    };
    const first = await isComplete();
    await restart(id);
    expect(await isComplete()).not.toBe(first);
    await daemon.crash();
    await daemon.start();
    await restart(id);
    await isComplete();
    expect((await daemon.session(id)).options).toEqual({
      profile: null,
      permission_mode: 'acceptEdits',
      add_dirs: [join(daemon.work, 'other')],
      mcp_configs: [join(daemon.work, 'mcp.json')],
      args: ['--name', 'a b'],
      variables: ['MINE', 'TOO'],
      sandbox: false,
    });
  });

  it('hold through a handoff', async () => {
    const id = await spawn(...all, '--env', 'MINE=kept');
    writeFileSync(join(daemon.work, 'notes.md'), 'Go on.');
    await sendText(daemon, id, '[[bash sm handoff notes.md]]');
    await daemon.until(id, is('handoff done'));
    const { message_id } = await sendText(daemon, id, '[[bash echo "it is $MINE"]]');
    await daemon.until(id, is('message answered', { message: message_id }));
    const { last_words } = (await daemon.events(id)).filter(is('turn ended')).at(-1) as {
      last_words?: string;
    };
    expect(last_words).toContain('it is kept');
    expect(hasWords(await agentProcess(daemon, id), '--permission-mode', 'acceptEdits')).toBe(true);
  });

  it('a daemon that dies before the launch launches it with them', async () => {
    await daemon.crash();
    await daemon.start({ SM_CRASH_AT: 'effect:launch:before' });
    void daemon.sm('spawn', 'scripted', '[[say ready]]', '--name', 'cut', '--env', 'MINE=late', ...all);
    await daemon.death();
    await daemon.start();
    await daemon.untilSession('cut', ({ phase }) => phase === 'idle');
    const { id } = await daemon.session('cut');
    const agent = await agentProcess(daemon, id);
    expect(agent.env.MINE).toBe('late');
    expect(hasWords(agent, '--permission-mode', 'acceptEdits')).toBe(true);
  });
});

describe("a session's own variables", () => {
  it('have their values in one private file and nowhere else, not in lists, events or logs', async () => {
    const { stdout } = await daemon.smWith(
      { TOKEN_OF_MINE: 'only-in-the-file-1' },
      ...['spawn', 'scripted', '[[say ready]]', '--json', '--env', 'TOKEN_OF_MINE'],
      ...['--env', 'SECOND=only-in-the-file-2'],
    );
    const { session_id: id } = JSON.parse(stdout);
    await daemon.until(id, is('turn ended'));
    const [file = ''] = variableFiles(id);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(filesWith('only-in-the-file')).toEqual([file]);
    const told = JSON.stringify([await daemon.session(id), await daemon.events(id), stdout]);
    expect(told).not.toContain('only-in-the-file');
    expect(told).toContain('TOKEN_OF_MINE');
    expect((await agentProcess(daemon, id)).env.TOKEN_OF_MINE).toBe('only-in-the-file-1');
  });

  it('get other values at a restore, which are then kept', async () => {
    const id = await spawn('--env', 'A=1', '--env', 'B=2');
    await restart(id, '--env', 'B=3', '--env', 'C=4');
    expect((await agentProcess(daemon, id)).env).toMatchObject({ A: '1', B: '3', C: '4' });
    expect(variableFiles(id)).toHaveLength(1);
    await restart(id);
    expect((await agentProcess(daemon, id)).env).toMatchObject({ A: '1', B: '3', C: '4' });
  });

  it('whose file is gone are asked for again, before anything is started', async () => {
    const id = await spawn('--env', 'A=1');
    for (const file of variableFiles(id)) rmSync(file);
    process.kill((await agentProcess(daemon, id)).pid, 'SIGKILL');
    await daemon.until(id, is('session exited'));
    const { code, stderr } = await daemon.sm('restore', id);
    expect([code, stderr]).toEqual([1, expect.stringContaining(`sm restore ${id} --env A=VALUE`)]);
    expect((await daemon.sm('restore', id, '--env', 'A=again')).code).toBe(0);
    expect((await agentProcess(daemon, id)).env.A).toBe('again');
  });

  it('are inherited by a child that the session spawns itself, for good, and by no other', async () => {
    const id = await spawn(...all, '--env', 'MINE=family');
    await sendText(daemon, id, `[[bash sm spawn scripted '[[say hi' --name kid-of-it]]`);
    const { id: kid } = await daemon.untilSession('kid-of-it', ({ phase }) => phase === 'idle');
    expect((await daemon.session(kid)).options).toEqual({
      profile: null,
      permission_mode: null,
      add_dirs: [],
      mcp_configs: [],
      args: [],
      variables: ['MINE'],
      sandbox: false,
    });
    await restart(kid);
    expect((await agentProcess(daemon, kid)).env.MINE).toBe('family');
    const { body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
      ...{ prompt: '[[say hi]]', provider: 'scripted', working_dir: daemon.work, parent_session_id: id },
    });
    expect((await daemon.session(body.session_id)).options.variables).toEqual([]);
  });
});

describe('an option that cannot be', () => {
  it('is refused with the reason, and nothing is started', async () => {
    const before = readdirSync(join(daemon.home, 'sessions')).length;
    expect(await refusal('--permission-mode', 'yolo')).toContain(
      'scripted has no permission mode "yolo". It has: manual, acceptEdits',
    );
    expect(await refusal('--add-dir', 'nowhere')).toContain(`No directory ${daemon.work}/nowhere`);
    expect(await refusal('--mcp-config', 'other')).toContain(`No file ${daemon.work}/other`);
    expect(await refusal('--', '--settings=x.json')).toContain('--settings cannot be handed to');
    expect(await refusal('--env', 'SM_HOME=/x')).toContain('SM_HOME cannot be set for a session');
    expect(await refusal('--env', 'not a name=1')).toContain('--env takes NAME=VALUE');
    expect(await refusal('--env', 'NOT_SET_HERE')).toContain('there is no such variable here');
    expect(await refusal('--verbose')).toContain('put -- before what is meant for the agent');
    expect(readdirSync(join(daemon.home, 'sessions'))).toHaveLength(before);
  });

  it('is refused where the agent does not take it', async () => {
    const { code, stderr } = await daemon.sm('spawn', 'codex', 'hello', '--mcp-config', 'mcp.json');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('codex takes no files with MCP servers. Codex reads'),
    ]);
    const app = await daemon.sm('spawn', 'codex-app', 'hello', '--add-dir', 'other');
    expect([app.code, app.stderr]).toEqual([1, expect.stringContaining('writable_roots')]);
  });
});
