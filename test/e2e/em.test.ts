// An agent that makes itself a manager, from its own shell.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startIdle, toolResultsOf } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

it('sm em: has the name, hears of its children, and knows what wakes it', async () => {
  const id = await startIdle(daemon, 'lead');
  const child = await startIdle(daemon, 'worker', { parent_session_id: id });
  await sendText(daemon, id, 'manage [[bash sm em]]');
  await daemon.until(id, is('turn ended'));
  expect((await daemon.session(id)).display_name).toBe('em');
  const [said] = await toolResultsOf(daemon, id);
  expect(said).toContain(`You are em (${id}).`);
  expect(said).toContain(`worker (${child})`);
  const { body } = await daemon.call<{ monitored: object[] }>('GET', '/sessions/context-monitor');
  expect(body.monitored).toContainEqual(
    expect.objectContaining({ session_id: child, enabled: true, notify_session_id: id }),
  );
});
