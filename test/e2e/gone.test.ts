// What is left of sessions that have ended: how, their last screen, and their names.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const crashed = async (name: string) => {
  const id = await startWith(daemon, '[[say the last words]] [[crash]]', { name });
  await daemon.until(id, is('session exited'));
  return id;
};

it('a crash is one line everywhere, and the screen is there for who asks', async () => {
  const id = await crashed('crashes');
  expect((await daemon.session(id)).ended).toMatchObject({ signal: 9, reason: 'killed by signal 9' });
  const all = await daemon.sm('all');
  expect(all.stdout).toMatch(/^crashes .* killed by signal 9$/m);
  const waited = await daemon.sm('wait', 'crashes', '5');
  expect(waited).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/is exited: killed by signal 9\. .*\n$/),
  });
  const tail = await daemon.sm('tail', 'crashes', '-n', '1');
  expect(tail.stdout).toMatch(/^\S+ {2}exited: killed by signal 9\n$/);
  const shown = await daemon.sm('output', 'crashes');
  expect(shown.stdout).toContain('the last words');
  expect(shown.stderr).toBe('The session has ended: killed by signal 9. Its last output:\n');
});

it('send --wait and spawn --wait tell a crash in one line', async () => {
  const idle = await startWith(daemon, '[[say ready]]', { name: 'idle' });
  await daemon.until(idle, is('turn ended'));
  const sent = await daemon.sm('send', 'idle', 'now [[crash]]', '--wait', '30');
  expect(sent.code).toBe(1);
  expect(sent.stderr.trim().split('\n')).toHaveLength(1);
  expect(sent.stderr).toContain('killed by signal 9');
  const spawned = await daemon.sm('spawn', 'scripted', 'now [[crash]]', '--wait', '30');
  expect(spawned.code).toBe(1);
  expect(spawned.stderr.trim().split('\n')).toHaveLength(1);
});

it('a session that was killed keeps its last screen, too', async () => {
  const id = await startWith(daemon, '[[say half done]]', { name: 'killed' });
  await daemon.until(id, is('turn ended'));
  await daemon.sm('kill', id);
  expect(await daemon.sm('output', id)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('half done'),
    stderr: 'The session has ended: killed. Its last output:\n',
  });
});

describe('a name of sessions that were killed', () => {
  const killed = async (name: string, says: string) => {
    const id = await startWith(daemon, `[[say ${says}]]`, { name });
    await daemon.until(id, is('turn ended'));
    expect((await daemon.sm('kill', name)).code).toBe(0);
    return id;
  };

  it('finds the only one: to look at it, and to bring it back', async () => {
    const id = await killed('once', 'I was here');
    for (const command of ['tail', 'output', 'context', 'contexts'])
      expect(await daemon.sm(command, 'once'), command).toMatchObject({ code: 0 });
    expect((await daemon.sm('tail', 'once')).stdout).toContain('killed by the user');
    expect((await daemon.sm('tail', id.slice(0, 7))).stdout).toContain('killed by the user');
    expect(await daemon.call('GET', '/sessions/once/last-message')).toMatchObject({
      body: { session_id: id, last_message: 'I was here' },
    });
    const sent = await daemon.sm('send', 'once', 'hello?');
    expect(sent.stderr).toBe(`Error: once (${id}) was killed. Restore it with: sm restore ${id}\n`);
    expect(await daemon.sm('restore', 'once')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Restored once (${id})`),
    });
  });

  it('means the newest of several, and says so', async () => {
    const older = await killed('twice', 'the first');
    const newer = await killed('twice', 'the second');
    const output = await daemon.sm('output', 'twice');
    expect(output.stdout).toContain('the second');
    const which = `"twice" matches 2 ended sessions; this is the newest, ${newer}. Older: ${older}\n`;
    expect(output.stderr).toContain(which);
    expect((await daemon.sm('output', older)).stderr).not.toContain('names');
    const restored = await daemon.sm('restore', 'twice');
    expect([restored.code, restored.stderr]).toEqual([0, which]);
    expect(restored.stdout).toContain(newer);
  });

  it('is that of the live one once it is used again, and the other is told', async () => {
    const before = await killed('again', 'before');
    const now = await startWith(daemon, '[[say after]]', { name: 'again' });
    await daemon.until(now, is('turn ended'));
    const output = await daemon.sm('output', 'again');
    expect(output.stdout).toContain('after');
    expect(output.stderr).toBe(`"again" is ${now}. Killed session with the same name: ${before}\n`);
    const restored = await daemon.sm('restore', 'again');
    expect(restored).toMatchObject({ code: 1, stdout: '' });
    expect(restored.stderr).toBe(
      `Error: "again" is now the name of ${now}, which is alive. The one that was killed is ${before}. Restore that one with: sm restore ${before}\n`,
    );
    expect((await daemon.sm('restore', before)).code).toBe(0);
  });
});

it('a message is found by the beginning of its id, and several are listed', async () => {
  const id = await startWith(daemon, '[[say ready]]', { name: 'reader' });
  const { message } = await daemon.until(id, is('message queued'));
  await daemon.until(id, is('turn ended'));
  const traced = await daemon.sm('trace', String(message).slice(0, 7));
  expect(traced.stdout).toContain(`#${message} from the user to reader`);
  const ids = new Set<string>();
  const clash = () =>
    [...ids].find((one) => [...ids].some((two) => one !== two && one[0] === two[0] && one[1] === two[1]));
  for (let n = 0; n < 257 && clash() === undefined; n += 1) {
    const { body } = await daemon.call<{ message_id: string }>('POST', `/sessions/${id}/input`, {
      text: 'x',
    });
    ids.add(body.message_id);
  }
  const several = await daemon.sm('trace', String(clash()).slice(0, 2));
  expect(several.code).toBe(1);
  expect(several.stderr).toContain(`#${String(clash()).slice(0, 2)} matches several messages: #`);
});
