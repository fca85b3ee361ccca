// A client that types `/clear` into a pane itself and says so first, with an agent that clears without a Stop and with
// older ones that stop for it: early, or late, when the next task runs already.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

async function start(name: string, faults = ''): Promise<string> {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(daemon.home, '..', 'home'),
    SCRIPTED_FAULTS: faults,
  };
  const { status, body } = await daemon.call<{ id: string }>('POST', '/sessions', {
    provider: 'scripted',
    working_dir: daemon.work,
    name,
    env,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
  return body.id;
}

const send = (to: string, text: string, from: string) =>
  daemon.call('POST', `/sessions/${to}/input`, { text, sender_session_id: from });

/** As a client does it: what it pastes is there when Enter comes. */
async function typeClear(id: string): Promise<void> {
  await daemon.tmux('set-buffer', '-b', id, '--', '/clear');
  await daemon.tmux('paste-buffer', '-p', '-b', id, '-t', `=sm-${id}:`);
  await daemon.tmux('send-keys', '-t', `=sm-${id}:`, 'Enter');
}

describe.each([
  ['without a Stop', 'none', ''],
  ['with an early Stop', 'early', 'stop-on-clear:0'],
  ['with a late Stop', 'late', 'stop-on-clear:500'],
])('a clear %s', (_, kind, faults) => {
  it('costs no notice, and makes none of its own', async () => {
    const [em, hand] = [await start(`em-${kind}`), await start(`hand-${kind}`, faults)];
    await send(hand, 'task A [[say X]]', em);
    const { number } = await daemon.until(em, is('turn ended'));

    expect(await daemon.call('POST', `/sessions/${hand}/invalidate-cache`)).toMatchObject({
      status: 200,
      body: { status: 'invalidated', session_id: hand },
    });
    await typeClear(hand);
    await daemon.until(hand, is('context began', { context: 2 }));
    const go = join(daemon.work, `go-${kind}`);
    await send(hand, `task B [[wait ${go}]] [[say Y]]`, em);
    if (kind === 'late') await daemon.until(hand, is('fact-set-aside', { fact: 'turn-ended' }));
    writeFileSync(go, '');

    await daemon.until(em, is('turn ended'), number);
    expect(await promptsOf(daemon, em)).toEqual([
      `[sm] hand-${kind} stopped:\nX`,
      `[sm] hand-${kind} stopped:\nY`,
    ]);
  });
});

describe('an announced clear', () => {
  it('is refused of nobody, and by a stranger', async () => {
    const [stranger, hand] = [await start('stranger'), await start('hand')];
    expect(await daemon.call('POST', '/sessions/nobody/invalidate-cache')).toMatchObject({ status: 404 });
    const by = { requester_session_id: stranger };
    expect(await daemon.call('POST', `/sessions/${hand}/invalidate-cache`, by)).toMatchObject({
      status: 403,
    });
  });
});
