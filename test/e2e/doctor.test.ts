// `sm doctor` looks at a machine as it is, with the daemon up or down.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';

interface Finding {
  name: string;
  state: 'ok' | 'warn' | 'fail';
  found: string;
  advice?: string;
  repair?: string;
}

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

async function examine(): Promise<{
  code: number;
  healthy: boolean;
  find(name: string): Finding | undefined;
}> {
  const { code, stdout } = await daemon.sm('doctor', '--json');
  const { healthy, findings } = JSON.parse(stdout) as { healthy: boolean; findings: Finding[] };
  return { code, healthy, find: (name) => findings.find((each) => each.name === name) };
}

/** As it would stand on a terminal that is wide enough. */
const inOneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('sm doctor', () => {
  it('fits into 80 columns, and has a command for everything that is not well', async () => {
    const [{ stdout }, abilities, json] = await Promise.all([
      daemon.sm('doctor'),
      daemon.sm('doctor', '--abilities'),
      daemon.sm('doctor', '--json'),
    ]);
    for (const line of `${stdout}${abilities.stdout}`.split('\n'))
      expect(line.length).toBeLessThanOrEqual(80);
    expect(abilities.stdout).toMatch(/^claude\n {2}yes +has a terminal to attach to$/m);
    const { findings } = JSON.parse(json.stdout) as { findings: Finding[] };
    const unwell = findings.filter(({ state }) => state !== 'ok');
    expect(unwell.length).toBeGreaterThan(0);
    for (const each of unwell) expect(each.repair, each.name).toBeTruthy();
  });

  it('--fix does what can harm nothing: the daemon of a socket that nobody answers at is started', async () => {
    const other = await startTestDaemon();
    try {
      await other.crash();
      const before = await other.sm('doctor');
      expect(before.stdout).toMatch(/warn daemon [^→]* nobody answers[^→]*→ sm up\n/);
      const fixed = await other.sm('doctor', '--fix');
      expect(fixed.stdout).toMatch(/^Fixed daemon: sm is running \(pid \d+/);
      expect(fixed.stdout).toMatch(/^ok {3}daemon +running, pid/m);
      const again = await other.sm('doctor', '--fix');
      expect(again.stdout).toMatch(/^Nothing that sm can repair by itself\.\n/);
    } finally {
      await other.sm('down');
      await other.dispose();
    }
  });

  it('says what it found, for a machine that is well', async () => {
    const { code, healthy, find } = await examine();
    expect({ code, healthy }).toEqual({ code: 0, healthy: true });
    for (const name of [
      'node',
      'tmux',
      'hooks',
      'state',
      'configuration',
      'database',
      'daemon',
      'port',
      'access',
      'spool',
      'terminal',
    ]) {
      expect(find(name)?.state, name).toBe('ok');
    }
    expect(find('daemon')?.found).toContain(`pid ${daemon.pid}`);
  });

  it('names an agent that is not installed, and how to install it', async () => {
    expect((await examine()).find('claude')).toMatchObject({
      state: 'warn',
      repair: 'npm install -g @anthropic-ai/claude-code',
    });
  });

  it('names panes that belong to no session, and facts that could not be read', async () => {
    const { body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      working_dir: daemon.work,
    });
    await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
    await daemon.tmux('new-session', '-d', '-s', 'sm-stray', 'cat');
    mkdirSync(join(daemon.home, 'spool', 'gone'), { recursive: true });
    writeFileSync(join(daemon.home, 'spool', 'gone', '1-x.hook.unreadable'), '{');
    const { find } = await examine();
    expect(find('terminal')).toMatchObject({ state: 'warn', found: expect.stringContaining('sm-stray') });
    expect(find('spool')).toMatchObject({ state: 'warn' });
    await daemon.tmux('kill-session', '-t', '=sm-stray:');
  });

  it.each([
    [{ open_hooks: true }, 'server.open_hooks is true'],
    [{ auth: 'none' }, 'server.auth is none'],
    [{ auth: 'none', open_hooks: true }, 'server.auth is none'],
  ])('points out a door that is open: %j', async (server, found) => {
    const config = join(daemon.home, '..', 'config.yaml');
    const before = readFileSync(config);
    writeFileSync(config, JSON.stringify({ server: { port: 0, ...server } }));
    expect((await examine()).find('access')).toMatchObject({
      state: 'warn',
      found: expect.stringContaining(found),
      advice: expect.stringContaining('token'),
    });
    writeFileSync(config, before);
  });

  it('finds a state directory that cannot be used, to which every command points', async () => {
    const root = mkdtempSync(join(tmpdir(), 'sm-home-'));
    const file = join(root, 'file');
    writeFileSync(file, '');
    const long = join(root, 'x'.repeat(120));
    try {
      for (const [home, what] of [
        [file, `${file} is not a directory`],
        [join(file, 'below'), `${file} is not a directory`],
        [long, `${long} has too long a path for a socket`],
        // Nobody can write there, not even root.
        ['/proc/sm', '/proc/sm cannot be made: /proc cannot be written'],
      ] as const) {
        const { code, stdout } = await daemon.smWith({ SM_HOME: home }, 'doctor');
        // A path may be longer than a line.
        const [found, wanted] = [stdout, `FAIL state ${what}`].map((text) => text.replace(/\s/g, ''));
        expect([code, found]).toEqual([1, expect.stringContaining(wanted as string)]);
        const all = await daemon.smWith({ SM_HOME: home }, 'all');
        expect(all).toMatchObject({ code: 2, stderr: expect.stringMatching(/Set SM_HOME to|sm doctor/) });
      }
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('finds a configuration that is named and is not there, as every start does', async () => {
    const root = mkdtempSync(join(tmpdir(), 'sm-config-'));
    const missing = { SM_CONFIG: join(root, 'nowhere.yaml') };
    try {
      const found = await daemon.smWith(missing, 'doctor');
      expect([found.code, inOneLine(found.stdout)]).toEqual([
        1,
        expect.stringContaining(
          `FAIL configuration SM_CONFIG points to ${missing.SM_CONFIG}, which does not exist.`,
        ),
      ]);
      const up = await daemon.smWith({ ...missing, SM_HOME: join(root, 'state') }, 'up');
      expect(up).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`SM_CONFIG points to ${missing.SM_CONFIG}, which does not exist.`),
      });
    } finally {
      rmSync(root, { recursive: true });
    }
  });

  it('finds a database of a newer version and a broken configuration, and fails', async () => {
    const other = await startTestDaemon();
    process.kill(other.pid, 'SIGTERM');
    await other.death();
    const db = new DatabaseSync(join(other.home, 'sm.db'));
    db.exec('PRAGMA user_version = 999');
    db.close();
    writeFileSync(join(other.home, '..', 'config.yaml'), 'sever: {}\n');
    const { code, stdout } = await other.sm('doctor');
    expect(code).toBe(1);
    expect(stdout).toMatch(/FAIL database\s+schema 999/);
    expect(inOneLine(stdout)).toMatch(/FAIL configuration \S*config\.yaml:1: unknown key sever → /);
    expect(inOneLine(stdout)).toMatch(/A newer sm wrote it\. Update sm\. → git pull/);
    const { code: up, stderr } = await other.sm('up');
    expect(up).toBe(2);
    expect(stderr).toContain('unknown key sever');
    await other.dispose();
  });
});
