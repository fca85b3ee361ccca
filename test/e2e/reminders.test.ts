// Reminders on the scripted agent in real tmux. The numbered ones are the items of the plan whose other items are in
// test/regression/seed-000.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({ config: { remind: { soft_threshold_seconds: 1, hard_gap_seconds: 1 } } });
});
afterAll(() => daemon.dispose());

const soft = '[sm remind] Update your status: sm status "your current progress"';
const hard = '[sm remind] Status overdue. Run: sm status "your current progress"';
const firstLine = (text: string) => text.split('\n')[0] as string;

/** Lets the agent go on that waits for this file. */
const release = (name: string) => writeFileSync(join(daemon.work, name), '');
/** At work until `release`, in small steps, so that it takes up what comes. */
const inSteps = (name: string) => `[[bash while [ ! -e ${name} ] && kill -0 $PPID; do sleep 0.05; done]]`;

const kinds = async (id: string) =>
  (await daemon.events(id)).filter(is('reminder sent')).map(({ kind }) => kind as string);

/** When an event of this kind was emitted. */
const at = async (id: string, type: string, more: object = {}) =>
  Date.parse((await daemon.until(id, is(type, more as Record<string, unknown>))).at);

describe('a reminder for a status', () => {
  it('1. Delivery-triggered start: its window begins when the message is accepted', async () => {
    const id = await startIdle(daemon, 'one');
    await sendText(daemon, id, `work ${inSteps('go-1')}`);
    const { message_id } = await sendText(daemon, id, `next ${inSteps('go-1b')}`, {
      remind_soft_threshold: 1,
    });
    // Long enough for both, if they were counted from the sending.
    const clock = await startIdle(daemon, 'clock-1');
    await daemon.call('POST', `/scheduler/remind?session_id=${clock}&delay_seconds=3&message=now`);
    await daemon.until(clock, is('one-shot sent'));
    expect(await kinds(id)).toEqual([]);
    release('go-1');
    const accepted = await at(id, 'message accepted', { message: message_id });
    const sent = await at(id, 'reminder sent', { kind: 'soft' });
    expect(sent - accepted).toBeGreaterThanOrEqual(1_000);
    release('go-1b');
  });

  it('3. Basic remind lifecycle: soft at a busy agent, hard interrupts it, and the message goes on', async () => {
    const id = await startIdle(daemon, 'three');
    await sendText(daemon, id, `work ${'[[bash sleep 0.3]] '.repeat(40)}`, { remind: 'default' });
    const first = await daemon.until(id, is('reminder sent', { kind: 'soft' }));
    await daemon.until(id, is('message accepted', { message: first.message }));
    const second = await daemon.until(id, is('reminder sent', { kind: 'hard' }));
    await daemon.until(id, is('message accepted', { message: second.message }));
    await daemon.until(id, is('turn ended', { end: 'cut-off' }));
    const after = await daemon.until(id, is('reminder ended', { why: 'the turn ended' }));
    expect(after.number).toBeGreaterThan(second.number);
    expect((await promptsOf(daemon, id)).map(firstLine).slice(1)).toEqual([soft, hard]);
    expect((await daemon.session(id)).reminder).toBeNull();
  });

  it('4. Status reset: the agent reports, and its window starts again', async () => {
    const id = await startIdle(daemon, 'four');
    await sendText(daemon, id, `work [[bash sm status "well on my way"]] ${inSteps('go-4')}`, {
      remind: 'default',
    });
    const reported = await at(id, 'status-reported');
    expect((await at(id, 'reminder sent', { kind: 'soft' })) - reported).toBeGreaterThanOrEqual(1_000);
    release('go-4');
  });

  it('10. sm children shows status, and 11. sm status without a text is the system', async () => {
    const parent = await startIdle(daemon, 'parent-10');
    const child = await startIdle(daemon, 'child-10', { parent_session_id: parent });
    await sendText(daemon, child, 'go [[bash sm status "making progress"]]');
    await daemon.until(child, is('turn ended'));
    expect((await daemon.sm('children', parent)).stdout).toMatch(
      new RegExp(`^child-10 \\(${child}\\) \\| idle \\| "making progress" \\(\\d+s ago\\)\\n$`),
    );
    expect((await daemon.sm('status')).stdout).toContain('child-10');
  });

  it('14. Crash recovery: an active reminder has what was left of its window', async () => {
    const id = await startIdle(daemon, 'fourteen');
    const { message_id } = await sendText(daemon, id, `work ${inSteps('go-14')}`, {
      remind_soft_threshold: 3,
    });
    const accepted = await at(id, 'message accepted', { message: message_id });
    const { reminder } = await daemon.session(id);
    await daemon.crash();
    await daemon.start();
    expect((await daemon.session(id)).reminder).toEqual(reminder);
    const sent = await at(id, 'reminder sent', { kind: 'soft' });
    expect(sent - accepted).toBeGreaterThanOrEqual(3_000);
    release('go-14');
    await daemon.until(id, is('reminder ended'));
  });

  it('15. Crash recovery: a message that waits keeps its reminder through a restart', async () => {
    const id = await startIdle(daemon, 'fifteen');
    await sendText(daemon, id, `work ${inSteps('go-15')}`);
    const { message_id } = await sendText(daemon, id, `next ${inSteps('go-15b')}`, { remind: 'default' });
    await daemon.crash();
    await daemon.start();
    release('go-15');
    const accepted = await at(id, 'message accepted', { message: message_id });
    expect((await at(id, 'reminder sent', { kind: 'soft' })) - accepted).toBeGreaterThanOrEqual(1_000);
    release('go-15b');
  });

  it.each([
    { soft_threshold: -1 },
    { soft_threshold: 0 },
    { soft_threshold: 10, hard_threshold: 5 },
    { soft_threshold: 31_536_000_000_000 },
    { hard_threshold: 10 },
    { soft_threshold: 'ten' },
  ])('%j makes no sense and is refused, and nothing changes', async (body) => {
    const id = await startIdle(daemon, `bad-${Math.random()}`.slice(0, 20));
    const { status } = await daemon.call('POST', `/sessions/${id}/remind`, body);
    expect(status).toBe(400);
    expect((await daemon.session(id)).reminder).toBeNull();
  });

  it('is registered and stopped over HTTP and by sm remind S --stop', async () => {
    const id = await startIdle(daemon, 'stopped');
    const { body } = await daemon.call('POST', `/sessions/${id}/remind`, { soft_threshold: 60 });
    expect(body).toMatchObject({ status: 'registered', soft_threshold: 60, hard_threshold: 61 });
    expect((await daemon.sm('remind', 'stopped', '--stop')).stdout).toBe(
      `sm stops asking stopped (${id}) for its status.\n`,
    );
    expect((await daemon.sm('remind', 'stopped', '--stop')).stdout).toBe(
      `sm was not asking stopped (${id}) for its status.\n`,
    );
    const { body: none } = await daemon.call('DELETE', `/sessions/${id}/remind`);
    expect(none).toMatchObject({ status: 'none' });
  });
});

describe('one-shot reminders', () => {
  it('13. sm remind disambiguation, and 16. One-shot sm remind now works', async () => {
    const id = await startIdle(daemon, 'sixteen');
    const { stdout, code } = await daemon.sm('remind', '1', 'hello', '--for', 'sixteen');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Reminder [0-9a-f]{8}: sixteen \([0-9a-f]{8}\) in 1 s\. Cancel: sm remind --cancel [0-9a-f]{8}\n$/,
    );
    const sent = await daemon.until(id, is('one-shot sent'));
    await daemon.until(id, is('message answered', { message: sent.message }));
    expect(await promptsOf(daemon, id)).toEqual(['[sm remind] hello']);
  });

  it('of an agent itself, from its shell', async () => {
    const id = await startIdle(daemon, 'own');
    await sendText(daemon, id, 'go [[bash sm remind 1 "look at the build"]]');
    const sent = await daemon.until(id, is('one-shot sent'));
    await daemon.until(id, is('message answered', { message: sent.message }));
    expect((await promptsOf(daemon, id)).at(-1)).toBe('[sm remind] look at the build');
  });

  it('that fell due while the daemon was away fire after its start', async () => {
    const id = await startIdle(daemon, 'away');
    await daemon.call('POST', '/scheduler/remind', { session_id: id, delay_seconds: 1, message: 'late' });
    await daemon.crash();
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    await daemon.start();
    const sent = await daemon.until(id, is('one-shot sent'));
    await daemon.until(id, is('message answered', { message: sent.message }));
    expect(await promptsOf(daemon, id)).toEqual(['[sm remind] late']);
  });

  it('are listed and cancelled', async () => {
    const id = await startIdle(daemon, 'listed');
    await daemon.sm('remind', '--every', '600', 'look around', '--for', id);
    const { stdout } = await daemon.sm('remind', '--list');
    const [, line] = stdout.split('\n');
    const [reminder] = line?.split(' ') ?? [];
    expect(line).toMatch(/listed \([0-9a-f]{8}\) +(600|599)s +600s +the user +look around$/);
    expect((await daemon.sm('remind', '--cancel', reminder as string)).code).toBe(0);
    expect((await daemon.sm('remind', '--list')).stdout).toContain('No reminders.');
    const again = await daemon.sm('remind', '--cancel', reminder as string);
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining(`No reminder ${reminder}`)]);
  });
});
