// Profiles: options that the configuration bundles, on the scripted agent.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentProcess, hasWords } from '../support/agent-process.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository } from '../support/repository.ts';

let daemon: TestDaemon;
let account: string;
beforeAll(async () => {
  daemon = await startTestDaemon();
  account = join(daemon.work, 'account');
  mkdirSync(account);
  configure(profiles());
});
afterAll(() => daemon.dispose());

const profiles = () => ({
  night: {
    agent: 'scripted',
    model: 'small-one',
    permission_mode: 'acceptEdits',
    args: ['--name', 'from the profile'],
    env: { OF_PROFILE: 'a secret', BOTH: 'profile' },
    account,
  },
  lost: { agent: 'scripted', account: join(daemon.work, 'nowhere') },
  other: { agent: 'codex' },
});

/** The daemon runs meanwhile. */
function configure(profiles: object): void {
  const file = join(daemon.home, '..', 'config.yaml');
  writeFileSync(file, JSON.stringify({ server: { port: 0 }, profiles }, null, 1));
}

async function spawn(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await daemon.sm('spawn', '[[say ready]]', '--json', ...args);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).session_id;
}

describe('a profile', () => {
  it('says how a session is started, from the moment it stands in the configuration', async () => {
    const id = await spawn('--profile', 'night');
    const agent = await agentProcess(daemon, id);
    expect(hasWords(agent, '--permission-mode', 'acceptEdits')).toBe(true);
    expect(hasWords(agent, '--model', 'small-one')).toBe(true);
    expect(agent.env).toMatchObject({ OF_PROFILE: 'a secret', BOTH: 'profile', CLAUDE_CONFIG_DIR: account });
    expect(await daemon.session(id)).toMatchObject({
      provider: 'scripted',
      options: { profile: 'night', variables: ['BOTH', 'CLAUDE_CONFIG_DIR', 'OF_PROFILE'] },
    });
  });

  it('yields to what is asked for besides', async () => {
    const more = ['--model', 'big-one', '--permission-mode', 'plan', '--env', 'BOTH=mine'];
    const id = await spawn('--profile', 'night', ...more, '--', '--name', 'mine');
    const agent = await agentProcess(daemon, id);
    expect(hasWords(agent, '--permission-mode', 'plan')).toBe(true);
    expect(hasWords(agent, '--model', 'big-one')).toBe(true);
    expect(hasWords(agent, '--name', 'from the profile', '--name', 'mine')).toBe(true);
    expect(agent.env).toMatchObject({ OF_PROFILE: 'a secret', BOTH: 'mine' });
  });

  it('puts its tags on its sessions, and a worktree is made unless that is not wanted', async () => {
    const repo = makeRepository(join(daemon.work, 'repo'));
    configure({ night: { agent: 'scripted', tags: ['night'], worktree: true } });
    const there = ['--profile', 'night', '--working-dir', repo.root];
    const own = await daemon.session(await spawn(...there, '--tag', 'api'));
    expect(own).toMatchObject({ tags: ['api', 'night'] });
    expect(own.working_dir).not.toBe(repo.root);
    expect(await daemon.session(await spawn(...there, '--no-worktree'))).toMatchObject({
      tags: ['night'],
      working_dir: repo.root,
    });
    const both = await daemon.sm('spawn', 'hello', ...there, '--worktree', '--no-worktree');
    expect([both.code, both.stderr]).toEqual([1, expect.stringContaining('say the opposite')]);
    const odd = await daemon.sm('spawn', 'hello', ...there, '--tag', 'a b');
    expect([odd.code, odd.stderr]).toEqual([1, expect.stringContaining('"a b" cannot be a tag')]);
    configure(profiles());
  });

  it('is kept with the session as it was, whatever becomes of it', async () => {
    const id = await spawn('--profile', 'passing').catch(() => null);
    expect(id).toBeNull();
    const { stderr } = await daemon.sm('spawn', 'hello', '--profile', 'nihgt');
    expect(stderr).toContain('No profile "nihgt" (known: night, lost, other)');
    const kept = await spawn('--profile', 'night');
    configure({});
    await daemon.sm('kill', kept);
    expect((await daemon.sm('restore', kept)).code).toBe(0);
    expect((await agentProcess(daemon, kept)).env).toMatchObject({ OF_PROFILE: 'a secret' });
  });

  it('is listed without its secrets, and with what is wrong with it', async () => {
    expect((await daemon.sm('profiles')).stdout).toContain('No profiles.');
    configure({
      night: {
        agent: 'scripted',
        model: 'small-one',
        env: { OF_PROFILE: 'a secret' },
        worktree: true,
        tags: ['api'],
      },
      lost: { agent: 'scripted', account: join(daemon.work, 'nowhere') },
      other: { agent: 'codex' },
    });
    const { stdout } = await daemon.sm('profiles');
    expect(stdout).toMatch(/^PROFILE +AGENT +MODEL/);
    expect(stdout).toMatch(/^night +scripted +small-one +worktree --tag api --env OF_PROFILE$/m);
    expect(stdout).toContain(`lost cannot be used: no account directory ${daemon.work}/nowhere`);
    const json = (await daemon.sm('profiles', '--json')).stdout;
    expect(JSON.parse(json).profiles.map(({ name }: { name: string }) => name)).toEqual([
      'night',
      'lost',
      'other',
    ]);
    expect(stdout + json).not.toContain('a secret');
    expect((await daemon.sm('doctor')).stdout).toMatch(/profiles +lost: no account directory/);
  });

  it('of another agent, or in a configuration that cannot be read, is refused', async () => {
    const { code, stderr } = await daemon.sm('spawn', 'scripted', 'hello', '--profile', 'other');
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining('The profile other is for codex, not for scripted.'),
    ]);
    configure({ bad: { modle: 'x' } });
    const bad = await daemon.sm('spawn', 'scripted', 'hello', '--profile', 'bad');
    expect([bad.code, bad.stderr]).toEqual([
      1,
      expect.stringMatching(/config\.yaml:\d+: unknown key profiles\.bad\.modle/),
    ]);
  });
});
