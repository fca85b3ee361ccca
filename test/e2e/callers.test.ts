// Sessions are known by their keys: what an agent does from its own shell it does as itself.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

let runs = 0;
/** The agent runs it in its own shell, in a turn of its own: its exit code, and all that it printed. */
async function inShellOf(id: string, command: string): Promise<{ code: number; said: string }> {
  const out = join(daemon.work, `out-${++runs}`);
  const { message_id } = await sendText(
    daemon,
    id,
    `[[bash (${command}) > ${out} 2>&1; echo $? > ${out}.code]]`,
  );
  await daemon.until(id, is('message answered', { message: message_id }));
  return { code: Number(readFileSync(`${out}.code`, 'utf8')), said: readFileSync(out, 'utf8') };
}

const keyOf = async (id: string) => (await inShellOf(id, 'printenv SM_CALLER')).said.trim();

function hook(path: string, headers: Record<string, string>, body: object): Promise<number> {
  return new Promise((resolve, reject) => {
    const json = { 'content-type': 'application/json', ...headers };
    const req = request(
      { socketPath: join(daemon.home, 'sm.sock'), method: 'POST', path, headers: json },
      (res) => {
        res.resume();
        resolve(res.statusCode ?? 0);
      },
    );
    req.on('error', reject);
    const text = JSON.stringify(body);
    req.setHeader('content-length', Buffer.byteLength(text));
    req.end(text);
  });
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

describe('the key of a session', () => {
  it('is in its environment, and nowhere else that anybody could look', async () => {
    const lead = await startIdle(daemon, 'lead');
    const key = await keyOf(lead);
    expect(key).toMatch(new RegExp(`^${lead}\\.[0-9a-f]{64}$`));
    writeFileSync(join(daemon.work, 'hello'), 'hello [[bash printenv SM_CALLER > child-key]]');
    const spawned = await inShellOf(lead, 'sm spawn scripted --file hello --name hand');
    expect(spawned).toMatchObject({ code: 0 });
    const hand = await daemon.untilSession('hand', ({ phase }) => phase === 'idle');
    await daemon.until(hand.id, is('turn ended'));
    const childKey = readFileSync(join(daemon.work, 'child-key'), 'utf8').trim();
    expect(childKey.startsWith(`${hand.id}.`)).toBe(true);
    expect(await inShellOf(lead, `sm kill hand && sm restore ${hand.id}`)).toMatchObject({ code: 0 });

    const secrets = [key, childKey].map((each) => each.split('.')[1] as string);
    const told = [
      JSON.stringify((await daemon.call('GET', '/sessions?retired=true')).body),
      JSON.stringify((await daemon.call('GET', '/events?limit=1000')).body),
    ];
    // What its terminal showed, and its transcript, are its own.
    const kept = filesIn(daemon.home).map((path) => readFileSync(path, 'latin1'));
    for (const secret of secrets)
      for (const text of [...told, ...kept]) expect(text.includes(secret), text.slice(0, 200)).toBe(false);
  });

  it('stays the same when the daemon starts again', async () => {
    const id = await startIdle(daemon, 'lasting');
    const before = await keyOf(id);
    await daemon.crash();
    await daemon.start();
    expect(await inShellOf(id, 'sm name survivor')).toMatchObject({ code: 0 });
    expect(await keyOf(id)).toBe(before);
  });
});

describe('an agent in its shell', () => {
  it('is refused what is not its to do, also when it does not say who it is', async () => {
    const [bad, victim] = [await startIdle(daemon, 'bad'), await startIdle(daemon, 'victim')];
    for (const command of ['sm kill victim', 'sm name victim mine', 'sm task victim x', 'sm clear victim'])
      for (const env of ['', 'CLAUDE_SESSION_MANAGER_ID= ', `CLAUDE_SESSION_MANAGER_ID=${victim} `])
        expect(await inShellOf(bad, env + command), env + command).toMatchObject({
          code: 1,
          said: expect.stringMatching(/Only .* may|You are bad \(.*\); you cannot act as victim/),
        });
    expect(await daemon.session(victim)).toMatchObject({
      friendly_name: 'victim',
      current_task: null,
      phase: 'idle',
    });
  });

  it('manages its children, by all that a manager has', async () => {
    const em = await startIdle(daemon, 'chief');
    const manage = async (command: string) => {
      const ran = await inShellOf(em, command);
      expect(ran, `${command}: ${ran.said}`).toMatchObject({ code: 0 });
      return ran.said;
    };
    await manage('sm spawn scripted "hello" --name w1');
    const { id } = await daemon.untilSession('w1', ({ phase, turn }) => phase === 'idle' && turn === null);
    await daemon.until(id, is('turn ended'));
    expect((await daemon.session(id)).parent_session_id).toBe(em);
    await manage('sm em chief');
    await manage('sm name w1 worker-1');
    await manage('sm task worker-1 "the login"');
    await manage('sm context-monitor enable worker-1');
    await manage('sm dispatch worker-1 --role scout --question "what is this?"');
    await daemon.until(id, is('clear done'));
    await daemon.untilSession(id, ({ phase, waiting }) => phase === 'idle' && waiting.count === 0);
    await manage('sm send worker-1 "more"');
    await manage('sm wait worker-1 60');
    await manage('sm remind 600 "look" --for worker-1');
    await manage('sm remind worker-1 --stop');
    await manage('sm remind 600 "look"');
    await manage('sm lock "mine" && sm unlock');
    await manage('sm status "managing"');
    expect(await manage('sm children')).toContain('worker-1');
    await daemon.untilSession(id, ({ phase, waiting }) => phase === 'idle' && waiting.count === 0);
    await manage('sm clear worker-1');
    await manage('sm slash worker-1 /help');
    await manage('sm kill worker-1');
    await manage(`sm restore ${id}`);
    const { body } = await daemon.call<{ children: SessionView[] }>('GET', `/sessions/${em}/children`);
    expect(body.children.map((child) => child.id)).toEqual([id]);
  });
});

describe('a fact', () => {
  it.each(['../../x', '../x', '..', '.', '', 'a/../../../x'])(
    'about "%s" touches nothing outside of the spool',
    async (id) => {
      const outside = [
        join(daemon.home, '../x'),
        join(daemon.home, 'x'),
        daemon.home,
        join(daemon.home, 'spool'),
      ];
      for (const folder of outside) {
        mkdirSync(folder, { recursive: true });
        for (const name of ['newest.status', '1-fact.hook']) writeFileSync(join(folder, name), '{}');
      }
      const body = { hook_event_name: 'Stop', session_manager_id: id, session_id: id };
      const named = { 'x-sm-session': id, 'x-sm-fact': 'f1' };
      expect(await hook('/hooks/claude', {}, body)).toBe(200);
      expect(await hook('/hooks/tool-use', {}, body)).toBe(200);
      expect(await hook('/hooks/context-usage', {}, body)).toBe(200);
      for (const path of ['/hooks/agent', '/hooks/edit', '/hooks/answer'])
        expect(await hook(path, named, body)).toBe(400);
      for (const folder of outside)
        expect(readdirSync(folder)).toEqual(expect.arrayContaining(['newest.status', '1-fact.hook']));
    },
  );

  it('has an id that can be one', async () => {
    const id = await startIdle(daemon, 'exact');
    const named = { 'x-sm-session': id, 'x-sm-fact': '../../x' };
    expect(await hook('/hooks/agent', named, { hook_event_name: 'Stop' })).toBe(400);
    expect((await daemon.call('GET', '/messages/..%2F..%2Fx')).status).toBe(404);
    expect((await daemon.call('GET', '/sessions/..%2F..%2Fx')).status).toBe(404);
  });

  it('is told by its own session, and not with the key of another', async () => {
    const [teller, other] = [await startIdle(daemon, 'teller'), await startIdle(daemon, 'quiet')];
    const key = { 'x-sm-caller': await keyOf(teller) };
    const began = { event: 'compaction', session_id: other };
    const forged = { hook_event_name: 'SessionEnd', session_manager_id: other, reason: 'clear' };
    expect(await hook('/hooks/context-usage', key, began)).toBe(403);
    expect(await hook('/hooks/claude', key, forged)).toBe(403);
    expect(await hook('/hooks/agent', { ...key, 'x-sm-session': other }, { hook_event_name: 'Stop' })).toBe(
      403,
    );
    expect(await hook('/hooks/edit', { ...key, 'x-sm-session': other }, {})).toBe(403);
    expect(await hook('/hooks/answer', { ...key, 'x-sm-session': other }, {})).toBe(403);
    expect(await hook('/hooks/context-usage', { 'x-sm-caller': `${other}.00` }, began)).toBe(403);
    expect((await daemon.session(other)).phase).toBe('idle');
    expect(await hook('/hooks/agent', { ...key, 'x-sm-session': teller }, { hook_event_name: 'Stop' })).toBe(
      204,
    );
  });
});
