// A team in a file, on the scripted agent: up, down, status, and up again after anything.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { agentProcess, hasWords } from '../support/agent-process.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  const careful = { agent: 'scripted', permission_mode: 'plan', env: { OF_PROFILE: 'yes' } };
  daemon = await startTestDaemon({ config: { profiles: { careful } } });
});
afterAll(() => daemon.dispose());

const file = (name: string, text: string): string => {
  writeFileSync(join(daemon.work, name), text);
  return name;
};
const three = (team: string) =>
  file(
    `${team}.yaml`,
    `team: ${team}
manager:
  name: lead
  agent: scripted
  prompt: "[[say I lead]]"
workers:
  login:
    profile: careful
    role: engineer
    keys: { task: Fix the login test }
    prompt: "[[say done]]"
  schema:
    agent: scripted
    directory: db
    tags: [night]
`,
  );

async function members(team: string): Promise<Record<string, SessionView>> {
  const { body } = await daemon.call<{ sessions: SessionView[] }>('GET', '/sessions');
  const own = body.sessions.filter(({ member }) => member?.team === team);
  expect(new Set(own.map(({ member }) => member?.name)).size, 'nobody is there twice').toBe(own.length);
  return Object.fromEntries(own.map((session) => [session.member?.name, session]));
}

async function up(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await daemon.sm('team', 'up', ...args);
  expect(code, stdout + stderr).toBe(0);
  return stdout;
}

describe('a team', () => {
  it('comes up as its file says: a manager, and workers that are its children', async () => {
    mkdirSync(join(daemon.work, 'db'));
    const said = await up(three('shop'));
    const { lead, login, schema } = (await members('shop')) as Record<string, SessionView>;
    expect(said).toBe(
      [
        `Started shop.lead (${lead?.id}) in ${daemon.work}`,
        `Started shop.login (${login?.id}) in ${daemon.work}`,
        `Started shop.schema (${schema?.id}) in ${daemon.work}/db`,
        '',
      ].join('\n'),
    );
    expect([login?.parent_session_id, schema?.parent_session_id]).toEqual([lead?.id, lead?.id]);
    expect(login?.options).toMatchObject({ profile: 'careful', variables: ['OF_PROFILE'] });
    expect(hasWords(await agentProcess(daemon, login?.id ?? ''), '--permission-mode', 'plan')).toBe(true);
    expect([lead?.tags, schema?.tags]).toEqual([[], ['night']]);
    // What the manager was given is not for its workers.
    expect(schema?.options.variables).toEqual([]);
    await daemon.until(login?.id ?? '', is('turn ended', { last_words: 'done' }));
    const [prompt = ''] = await promptsOf(daemon, login?.id ?? '');
    expect(prompt).toMatch(/from shop\.lead .*Fix the login test.*\[\[say done\]\]/s);
    await daemon.until(lead?.id ?? '', is('message accepted'));
  });

  it('that is there is left alone; who has ended is restored, who was killed is started anew', async () => {
    const before = await members('shop');
    expect(await up('shop.yaml')).toMatch(
      /^shop\.lead \(\w+\) is there: \w+\nshop\.login .* is there: \w+\nshop\.schema .* is there: \w+\n$/,
    );
    const [login, schema] = [before.login?.id ?? '', before.schema?.id ?? ''];
    process.kill((await agentProcess(daemon, login)).pid, 'SIGKILL');
    await daemon.until(login, is('session exited'));
    await daemon.sm('kill', schema);
    const said = await up('shop.yaml');
    expect(said).toContain(`Restored shop.login (${login})`);
    expect(said).toMatch(/Started shop\.schema \((?!\w*undefined)\w+\) in/);
    const after = await members('shop');
    expect([after.lead?.id, after.login?.id]).toEqual([before.lead?.id, login]);
    expect(after.schema?.id).not.toBe(schema);
    const { code, stderr } = await daemon.sm('restore', schema);
    expect([code, stderr]).toEqual([1, expect.stringContaining('The team shop already has a member schema')]);
  });

  it('is shown, also who is missing', async () => {
    const { schema } = await members('shop');
    await daemon.sm('kill', schema?.id ?? '');
    const { stdout } = await daemon.sm('team', 'status', 'shop.yaml');
    expect(stdout).toMatch(/^shop: 2 of 3 run\nNAME/);
    expect(stdout).toContain('missing: schema');
    const json = JSON.parse((await daemon.sm('team', 'status', '--json')).stdout);
    expect(json.teams).toMatchObject([{ team: 'shop', members: [{ member: 'lead' }, { member: 'login' }] }]);
    expect((await daemon.sm('team', 'status', 'shpo')).stderr).toContain(
      'No team "shpo" runs (these do: shop)',
    );
  });

  it('goes down only when that is meant, and comes back with its conversations', async () => {
    const before = await members('shop');
    const asked = await daemon.sm('team', 'down', 'shop');
    expect([asked.code, asked.stderr]).toEqual([1, expect.stringContaining('sm team down shop --yes')]);
    expect(Object.keys(await members('shop'))).toEqual(['lead', 'login']);
    const { code, stdout } = await daemon.sm('team', 'down', 'shop', '--yes');
    expect([code, stdout.split('\n')[0]]).toEqual([0, expect.stringContaining('Killed shop.lead')]);
    expect(await members('shop')).toEqual({});
    const said = await up('shop.yaml', '--restore');
    expect(said).toContain(`Restored shop.lead (${before.lead?.id})`);
    expect(said).toContain(`Restored shop.login (${before.login?.id})`);
    expect(Object.keys(await members('shop'))).toEqual(['lead', 'login', 'schema']);
  });

  it('without a manager is led by the agent that brings it up; one with a manager is not for an agent', async () => {
    file('crew.yaml', 'team: crew\nworkers:\n  hand: { agent: scripted }\n');
    const { lead } = await members('shop');
    await sendText(daemon, lead?.id ?? '', '[[bash sm team up crew.yaml; sm team up shop.yaml]]');
    const hand = await daemon.untilSession('crew.hand', ({ phase }) => phase === 'idle');
    expect(hand.parent_session_id).toBe(lead?.id);
    const ended = await daemon.until(lead?.id ?? '', (event) =>
      Boolean(is('turn ended')(event) && String(event.last_words).includes('crew')),
    );
    expect(String(ended.last_words)).toContain('which only a person can start');
  });
});

describe('a file with faults', () => {
  it('starts nobody, and every fault has its line', async () => {
    file(
      'bad.yaml',
      'team: bad\nmanager: { agent: scripted }\nworkers:\n  a: { profile: none-such }\n  b:\n    agent: codex\n    mcp_configs: [x.json]\n  c: { agent: scripted, directory: nowhere }\n',
    );
    const { code, stderr } = await daemon.sm('team', 'up', 'bad.yaml');
    expect(code).toBe(1);
    expect(stderr).toContain('Fix these lines:');
    expect(stderr).toContain(`${daemon.work}/bad.yaml:4: a: No profile "none-such"`);
    expect(stderr).toContain(`${daemon.work}/bad.yaml:5: b: codex takes no files with MCP servers`);
    expect(stderr).toContain(`${daemon.work}/bad.yaml:8: c: No directory`);
    file('role.yaml', 'team: bad\nworkers:\n  a: { agent: scripted, role: engineer }\n');
    expect((await daemon.sm('team', 'up', 'role.yaml')).stderr).toMatch(
      /role\.yaml:3: a: Missing key --task/,
    );
    expect((await daemon.sm('team', 'up')).stderr).toContain('Cannot read the file of the team');
    expect(await members('bad')).toEqual({});
  });
});

describe('kill -9 while a team comes up', () => {
  it.each([
    'commit:before#2',
    'commit:after#1',
    'commit:after#2',
    'effect:launch:before#2',
    'effect:launch:after#1',
    'commit:after#9',
  ])('at %s: up again, and nobody is there twice', async (point) => {
    const team = `t${point.replaceAll(/\W/g, '')}`.slice(0, 24);
    three(team);
    await daemon.crash();
    await daemon.start({ SM_CRASH_AT: point });
    const first = daemon.sm('team', 'up', `${team}.yaml`);
    await daemon.death();
    await first;
    // It may have brought back a daemon of its own.
    await daemon.sm('down');
    await daemon.start();
    await up(`${team}.yaml`);
    await up(`${team}.yaml`);
    const all = await members(team);
    expect(Object.keys(all).sort()).toEqual(['lead', 'login', 'schema']);
    for (const { id } of Object.values(all)) await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    const { login } = all;
    await daemon.until(login?.id ?? '', is('turn ended', { last_words: 'done' }));
    const prompts = (await promptsOf(daemon, login?.id ?? '')).filter((each) => each.includes('login test'));
    expect(prompts).toHaveLength(1);
    await daemon.sm('team', 'down', team, '--yes');
  });

  it('of two at once, one starts each member', async () => {
    three('twice');
    await Promise.all([up('twice.yaml'), up('twice.yaml')]);
    expect(Object.keys(await members('twice')).sort()).toEqual(['lead', 'login', 'schema']);
  });
});
