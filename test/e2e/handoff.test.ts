// Handoffs on the scripted agent in real tmux, named after the items of the plan whose other items are in
// test/regression/seed-002.test.ts.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

const document = (name: string, text = 'Go on with step two.') => {
  const path = join(daemon.work, name);
  writeFileSync(path, text);
  return path;
};

describe('a handoff', () => {
  it('1. Happy path: the agent calls it, its turn ends, the context is cleared, and the new one reads the document', async () => {
    const parent = await startIdle(daemon, 'boss-1');
    const id = await startIdle(daemon, 'one', { parent_session_id: parent });
    const path = document('one.md');
    const before = (await daemon.session(id)).context;
    const { message_id } = await sendText(daemon, id, `work [[bash sm handoff one.md]] [[say bye]]`, {
      sender_session_id: parent,
    });
    await daemon.until(id, is('handoff done'));
    await daemon.until(id, is('message answered', { message: message_id }));
    const after = await daemon.session(id);
    expect(after).toMatchObject({ id, display_name: 'one', last_handoff_path: path });
    expect(after.context.number).toBe(before.number + 1);
    expect(after.context.provider_id).not.toBe(before.provider_id);
    expect(await promptsOf(daemon, id)).toEqual([`Read ${path} and continue from where you left off.`]);
    const notices = (await daemon.events(id)).filter(is('notice-posted', { about: 'turn-end' }));
    expect(notices).toHaveLength(1);
    expect((await daemon.sm('handoff', '--show', 'one')).stdout).toBe('Go on with step two.\n');
  });

  it('2. File validation: what is not there, no regular file, empty or oversized is refused with the reason', async () => {
    const id = await startIdle(daemon, 'two');
    mkdirSync(join(daemon.work, 'folder'));
    document('empty.md', ' \n');
    document('huge.md', 'x'.repeat(1_000_001));
    const tries: [string, RegExp][] = [
      ['/nonexistent/file.md', /File not found: \/nonexistent\/file\.md/],
      [join(daemon.work, 'folder'), /not a regular file/],
      [join(daemon.work, 'empty.md'), /is empty/],
      [join(daemon.work, 'huge.md'), /1000001 bytes/],
      ['/tmp/a\nb.md', /control characters|not found/],
    ];
    for (const [path, reason] of tries) {
      const { status, body } = await daemon.call('POST', `/sessions/${id}/handoff`, {
        requester_session_id: id,
        file_path: path,
      });
      expect([status, String(body.detail)]).toEqual([400, expect.stringMatching(reason)]);
    }
    expect((await daemon.session(id)).phase).toBe('idle');
  });

  it('3. Self-only auth: nobody else may hand over for a session', async () => {
    const id = await startIdle(daemon, 'three');
    const other = await startIdle(daemon, 'three-other');
    const { status, body } = await daemon.call('POST', `/sessions/${id}/handoff`, {
      requester_session_id: other,
      file_path: document('three.md'),
    });
    expect(status).toBe(403);
    expect(body).toMatchObject({
      detail: 'sm handoff is self-directed only — requester must equal target session',
    });
  });

  it('5. No session: from a bare shell it is an error', async () => {
    const { code, stderr } = await daemon.sm('handoff', document('five.md'));
    expect([code, stderr]).toEqual([
      2,
      'Error: CLAUDE_SESSION_MANAGER_ID not set. sm handoff can only be called from within a session.\n',
    ]);
  });

  it('7. Queued messages: what waits is delivered at the first turn end of the new context', async () => {
    const id = await startIdle(daemon, 'seven');
    const path = document('seven.md');
    await sendText(daemon, id, 'work [[bash sm handoff seven.md]] [[wait go-7]]');
    await daemon.until(id, is('handoff scheduled'));
    const { message_id } = await sendText(daemon, id, 'waits');
    writeFileSync(join(daemon.work, 'go-7'), '');
    await daemon.until(id, is('message answered', { message: message_id }));
    const prompts = await promptsOf(daemon, id);
    expect(prompts).toEqual([
      `Read ${path} and continue from where you left off.`,
      `[sm] from the user #${message_id}:\nwaits`,
    ]);
  });

  it('9. Failure recovery: a document that is gone at the end of the turn: idle, told, and the queue flows', async () => {
    const parent = await startIdle(daemon, 'boss-9');
    const id = await startIdle(daemon, 'nine', { parent_session_id: parent });
    const path = document('nine.md');
    const sent = await sendText(daemon, id, 'work [[bash sm handoff nine.md]] [[wait go-9]] [[say done]]', {
      sender_session_id: parent,
    });
    await daemon.until(id, is('handoff scheduled'));
    const waiting = await sendText(daemon, id, 'waits');
    rmSync(path);
    writeFileSync(join(daemon.work, 'go-9'), '');
    await daemon.until(id, is('handoff failed', { why: `File not found: ${path}` }));
    await daemon.until(id, is('message answered', { message: sent.message_id }));
    await daemon.until(id, is('message answered', { message: waiting.message_id }));
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    expect((await daemon.session(id)).last_handoff_path).toBeNull();
    const heard = (await promptsOf(daemon, id)).join('\n');
    expect(heard).toContain(`[sm handoff] The handoff to ${path} failed: File not found: ${path}.`);
    await daemon.until(parent, is('message queued', { mode: 'important' }));
    const told = (await daemon.events(id)).filter(is('notice-posted')).map(({ about }) => about);
    expect(told).toEqual(['handoff', 'turn-end']);
  });

  it('--auto: at the critical mark the agent is asked for its document, and rotated once it stands', async () => {
    const id = await startIdle(daemon, 'auto');
    // One from before does not count.
    const path = document('auto.md', 'Old.');
    await sendText(
      daemon,
      id,
      'work [[bash sm handoff --auto auto.md]] [[on critically high => sh slow.sh]] [[on do write => sh write.sh]]',
    );
    await daemon.until(id, is('handoff prepared'));
    await daemon.until(id, is('turn ended'));
    document('slow.sh', 'echo not yet');
    document('write.sh', 'echo New. > auto.md');
    await sendText(daemon, id, 'fill it [[usage 130000]]');
    const asked = await daemon.until(id, is('handoff scheduled', { auto: true }));
    const told = await daemon.until(id, is('message queued', { mode: 'urgent' }));
    await daemon.until(id, is('message answered', { message: told.message }));
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    expect((await daemon.events(id)).filter(is('handoff clearing'))).toEqual([]);
    const text = (await promptsOf(daemon, id)).find((each) => each.startsWith('[sm context]'));
    expect(text).toContain(`Write your handoff doc NOW to ${path} and end your turn`);
    await sendText(daemon, id, 'please do write it');
    await daemon.until(id, is('handoff done', { path }), asked.number);
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    expect(await promptsOf(daemon, id)).toEqual([`Read ${path} and continue from where you left off.`]);
    expect((await daemon.sm('handoff', '--show', 'auto')).stdout).toBe('New.\n');
  });

  it('goes on when the daemon is killed at each of its steps', async () => {
    for (const [index, point] of [
      'effect:check-document:before',
      'effect:check-document:after',
      'effect:submit:before',
      'effect:submit:after',
      'effect:publish-document:before',
      'effect:publish-document:after',
    ].entries()) {
      const id = await startIdle(daemon, `crash-${index}`);
      const path = document(`crash-${index}.md`);
      await sendText(daemon, id, `work [[bash sm handoff crash-${index}.md]] [[wait go-c${index}]]`);
      await daemon.until(id, is('handoff scheduled'));
      await daemon.crash();
      await daemon.start({ SM_CRASH_AT: point });
      writeFileSync(join(daemon.work, `go-c${index}`), '');
      await daemon.death();
      await daemon.start();
      await daemon.until(id, is('handoff done'));
      await daemon.untilSession(id, ({ phase }) => phase === 'idle');
      expect(await promptsOf(daemon, id), point).toEqual([
        `Read ${path} and continue from where you left off.`,
      ]);
      const recovery = join(daemon.home, 'handoffs', id, 'recovery.json');
      await expect.poll(() => existsSync(recovery), { timeout: 10_000 }).toBe(true);
      expect(JSON.parse(readFileSync(recovery, 'utf8'))).toEqual({
        hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'Go on with step two.' },
      });
    }
  });
});
