// Compaction on the scripted agent in real tmux: by the agent's own hooks, and by the plain posts of scripts that people
// have in their settings (test/fixtures/scripts), which know the daemon only by its port. The numbered ones are the
// items of the plan whose other items are in test/regression/seed-001.test.ts.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { canRunScripts, runScript, scriptFor } from '../support/scripts.ts';
import { is, promptsOf, sendText, startIdle, untilScreen } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  // The scripts are as people have them, and send no token.
  daemon = await startTestDaemon({ config: { server: { port: 0, open_hooks: true } } });
});
afterAll(() => daemon.dispose());

/** Lets the agent go on that waits for this file. */
const release = (name: string) => writeFileSync(join(daemon.work, name), '');
/** A tool that runs until `release`: its turn is plain to see all the time. */
const until = (name: string) => `[[bash while [ ! -e ${name} ] && kill -0 $PPID; do sleep 0.05; done]]`;

async function startBusy(name: string, more: object = {}): Promise<string> {
  const id = await startIdle(daemon, name);
  const { message_id } = await sendText(daemon, id, `work ${until(`go-${name}`)}`, more);
  await daemon.until(id, is('message accepted', { message: message_id }));
  return id;
}

/** A post as a stranger's script sends it: over TCP, without the token. */
async function post(
  body: unknown,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer = await fetch(`http://127.0.0.1:${daemon.port}/hooks/context-usage`, {
    method: 'POST',
    headers,
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
}

const begins = (id: string) => post({ session_id: id, event: 'compaction', trigger: 'auto' });
const completes = (id: string) => post({ session_id: id, event: 'compaction_complete' });
const compacting = (id: string) => daemon.untilSession(id, ({ phase }) => phase === 'compacting');
const count = (texts: readonly string[], part: string) => texts.filter((text) => text.includes(part)).length;

/** So many seconds of the daemon's own time pass. */
async function pass(seconds: number): Promise<void> {
  const clock = await startIdle(daemon, `clock-${Math.random()}`.slice(0, 14));
  await daemon.call('POST', '/scheduler/remind', {
    session_id: clock,
    delay_seconds: seconds,
    message: 'now',
  });
  await daemon.until(clock, is('one-shot sent'));
}

describe.runIf(canRunScripts)('the scripts that people have in their settings', () => {
  it('precompact_notify.sh, from the shell of the agent: its parent is told once, in the words that it knows', async () => {
    const parent = await startIdle(daemon, 'script-boss');
    const id = await startIdle(daemon, 'scripted', { parent_session_id: parent });
    const notify = `printf '{"trigger":"auto"}' | bash ${scriptFor(daemon, 'precompact_notify.sh')}`;
    await sendText(daemon, id, `work [[bash ${notify}]] ${until('go-scripted')}`);
    expect(await daemon.until(id, is('compaction began'))).toMatchObject({ trigger: 'auto' });
    await compacting(id);
    expect(await runScript(daemon, 'precompact_notify.sh', id, { trigger: 'auto' })).toEqual({
      code: 0,
      stdout: '',
    });
    const told = await daemon.until(id, is('notice-posted', { about: 'compaction' }));
    await daemon.until(parent, is('message answered', { message: told.notice }));
    await completes(id);
    release('go-scripted');
    await daemon.until(id, is('turn ended'));
    const text = '[sm context] Compaction fired for scripted. Context was lost.';
    expect((await promptsOf(daemon, parent)).filter((prompt) => prompt === text)).toHaveLength(1);
    expect((await daemon.events(id)).filter(is('compaction began'))).toHaveLength(1);
  });

  it('precompact_notify.sh says that the trigger is unknown when it is', async () => {
    const id = await startBusy('untold');
    await runScript(daemon, 'precompact_notify.sh', id, {});
    expect(await daemon.until(id, is('compaction began'))).toMatchObject({ trigger: 'unknown' });
    release('go-untold');
  });

  it('context_monitor.sh: a sample is stored, and it prints its line for the status', async () => {
    const id = await startIdle(daemon, 'monitored');
    const context_window = {
      used_percentage: 42.5,
      total_input_tokens: 85_000,
      total_output_tokens: 4_521,
      context_window_size: 200_000,
    };
    const { stdout } = await runScript(daemon, 'context_monitor.sh', id, {
      session_id: 'abc',
      context_window,
    });
    expect(stdout).toBe('42.5% ctx\n');
    const seen = await daemon.untilSession(id, ({ tokens_used }) => tokens_used === 85_000);
    expect(seen.context).toMatchObject({ used_percentage: 42.5, window_size: 200_000 });
  });

  it('context_monitor.sh posts nothing before the first answer, nor outside a session', async () => {
    const id = await startIdle(daemon, 'unmonitored');
    const none = { context_window: { used_percentage: null, total_input_tokens: 0 } };
    expect(await runScript(daemon, 'context_monitor.sh', id, none)).toEqual({ code: 0, stdout: '0% ctx\n' });
    const some = { context_window: { used_percentage: 7, total_input_tokens: 9 } };
    expect(await runScript(daemon, 'context_monitor.sh', null, some)).toEqual({
      code: 0,
      stdout: '7% ctx\n',
    });
    expect((await daemon.session(id)).tokens_used).toBe(0);
  });

  it('post_compact_recovery.sh reads its session without a token, and is silent where nothing was handed off', async () => {
    const id = await startBusy('recovered');
    await begins(id);
    const started = { hook_event_name: 'SessionStart', source: 'compact' };
    expect(await runScript(daemon, 'post_compact_recovery.sh', id, started)).toEqual({ code: 0, stdout: '' });
    expect((await daemon.session(id)).phase).toBe('compacting');
    const read = await fetch(`http://127.0.0.1:${daemon.port}/sessions/${id}`);
    expect(await read.json()).toEqual({ id, status: 'running', last_handoff_path: null });
    release('go-recovered');
  });

  it('post_compact_recovery.sh, in the form that tells the end: the session goes on, and its reminder starts afresh', async () => {
    const id = await startBusy('told', { remind_soft_threshold: 600 });
    await runScript(daemon, 'precompact_notify.sh', id, { trigger: 'auto' });
    await compacting(id);
    const before = await daemon.session(id);
    const { code, stdout } = await runScript(daemon, 'post_compact_recovery_that_tells.sh', id, {
      source: 'compact',
    });
    expect([code, stdout]).toEqual([0, '']);
    const ended = await daemon.until(id, is('compaction ended'));
    const after = await daemon.session(id);
    expect(after.phase).toBe('working');
    expect(before.reminder?.next_at).toBeNull();
    expect(Date.parse(after.reminder?.since as string)).toBe(Date.parse(ended.at));
    release('go-told');
  });

  it.each(['precompact_notify.sh', 'post_compact_recovery.sh', 'post_compact_recovery_that_tells.sh'])(
    '%s does nothing outside a session, and nothing bad for one that is unknown',
    async (name) => {
      expect(await runScript(daemon, name, null, {})).toEqual({ code: 0, stdout: '' });
      expect(await runScript(daemon, name, 'feedfeed', {})).toEqual({ code: 0, stdout: '' });
    },
  );
});

describe('TestCompactionStateTracking', () => {
  it('Test 1: event "compaction" sets the state, for as long as its end is not told', async () => {
    const id = await startBusy('test-1');
    expect(await begins(id)).toEqual({ status: 200, body: { status: 'compaction_logged' } });
    expect(await daemon.session(id)).toMatchObject({ phase: 'compacting', status: 'running' });
    release('go-test-1');
  });

  it('Test 2: event "compaction_complete" clears it, and the reminder has a fresh window', async () => {
    const id = await startBusy('test-2', { remind_soft_threshold: 2 });
    await begins(id);
    await pass(3);
    expect((await daemon.events(id)).filter(is('reminder sent'))).toEqual([]);
    expect(await completes(id)).toEqual({ status: 200, body: { status: 'compaction_complete_logged' } });
    expect((await daemon.session(id)).phase).toBe('working');
    const ended = await daemon.until(id, is('compaction ended'));
    const sent = await daemon.until(id, is('reminder sent', { kind: 'soft' }));
    expect(Date.parse(sent.at) - Date.parse(ended.at)).toBeGreaterThanOrEqual(2_000);
    await daemon.until(id, is('message accepted', { message: sent.message }));
    release('go-test-2');
  });

  it('an end that nobody began changes nothing', async () => {
    const id = await startIdle(daemon, 'no-end');
    expect((await completes(id)).body).toEqual({ status: 'compaction_complete_logged' });
    expect((await daemon.session(id)).phase).toBe('idle');
    expect((await daemon.events(id)).filter(is('compaction ended'))).toEqual([]);
  });
});

describe('TestCompactionSuppression', () => {
  it('Test 6: an urgent message and a one-shot wait, say why, and go when it is over, once', async () => {
    const id = await startBusy('test-6');
    await begins(id);
    const urgent = await sendText(daemon, id, 'urgent words', { delivery_mode: 'urgent' });
    expect(urgent).toMatchObject({ status: 'queued', waits_for: 'compacting', queue_position: 1 });
    const byHand = await daemon.sm('send', id, 'more of it', '--urgent');
    expect(byHand.stdout).toMatch(
      /^Queued for test-6 \([0-9a-f]{8}\) #[0-9a-f]{8}: it is compacting \(position 2\)\n$/,
    );
    await daemon.call('POST', '/scheduler/remind', { session_id: id, delay_seconds: 1, message: 'look' });
    await pass(2);
    expect((await daemon.sm('queue', id)).stdout).toMatch(
      /^2 messages wait for test-6 \([0-9a-f]{8}\): it is compacting\n/,
    );
    expect((await daemon.events(id)).filter(is('one-shot sent'))).toEqual([]);
    expect(await promptsOf(daemon, id)).toHaveLength(1);
    await completes(id);
    await daemon.until(id, is('message answered', { message: urgent.message_id }));
    const shot = await daemon.until(id, is('one-shot sent'));
    await daemon.until(id, is('message answered', { message: shot.message }));
    const prompts = await promptsOf(daemon, id);
    for (const text of ['urgent words', 'more of it', '[sm remind] look'])
      expect([text, count(prompts, text)]).toEqual([text, 1]);
  });
});

describe('a compaction of the agent itself', () => {
  const asksFor = (id: string, go: string) => daemon.sm('slash', id, `/compact [[wait ${go}]]`);

  it('is known from its beginning to its end, and holds back what is urgent', async () => {
    const parent = await startIdle(daemon, 'real-boss');
    const id = await startIdle(daemon, 'real', { parent_session_id: parent });
    await sendText(daemon, id, 'something to compact');
    await daemon.until(id, is('turn ended'));
    expect((await asksFor(id, 'go-real')).code).toBe(0);
    await compacting(id);
    const urgent = await sendText(daemon, id, 'at once', { delivery_mode: 'urgent' });
    expect(urgent.waits_for).toBe('compacting');
    // The script beside our own hooks: one compaction, told once.
    await begins(id);
    release('go-real');
    await daemon.until(id, is('message answered', { message: urgent.message_id }));
    const told = await daemon.until(id, is('notice-posted', { about: 'compaction' }));
    await daemon.until(parent, is('message answered', { message: told.notice }));
    expect(count(await promptsOf(daemon, parent), 'Compaction fired for real')).toBe(1);
    expect(count(await promptsOf(daemon, id), 'at once')).toBe(1);
    expect((await daemon.events(id)).filter(is('turn ended', { end: 'cut-off' }))).toEqual([]);
  });

  it('that began before a crash of the daemon goes on after it', async () => {
    const id = await startIdle(daemon, 'crash-began');
    await asksFor(id, 'go-crash-began');
    await compacting(id);
    await daemon.crash();
    await daemon.start();
    expect((await daemon.session(id)).phase).toBe('compacting');
    const urgent = await sendText(daemon, id, 'after the crash', { delivery_mode: 'urgent' });
    expect(urgent).toMatchObject({ status: 'queued', waits_for: 'compacting' });
    release('go-crash-began');
    await daemon.until(id, is('message answered', { message: urgent.message_id }));
    expect(count(await promptsOf(daemon, id), 'after the crash')).toBe(1);
  });

  it('that ended while the daemon was away is over when it is back, and what waited goes', async () => {
    const id = await startIdle(daemon, 'crash-ended');
    await asksFor(id, 'go-crash-ended');
    await compacting(id);
    const urgent = await sendText(daemon, id, 'before the crash', { delivery_mode: 'urgent' });
    await daemon.crash();
    release('go-crash-ended');
    await untilScreen(daemon, id, 'Compacted');
    await daemon.start();
    await daemon.until(id, is('compaction ended'));
    await daemon.until(id, is('message answered', { message: urgent.message_id }));
    expect(count(await promptsOf(daemon, id), 'before the crash')).toBe(1);
  });

  it('that happened while the daemon was away is told to the parent, once', async () => {
    const parent = await startIdle(daemon, 'away-boss');
    const id = await startIdle(daemon, 'crash-both', { parent_session_id: parent });
    await daemon.crash();
    await untilScreen(daemon, id, '❯');
    const pane = ['-t', `=sm-${id}:`];
    await daemon.tmux('set-buffer', '-b', 'typed', '/compact');
    await daemon.tmux('paste-buffer', '-p', '-d', '-b', 'typed', ...pane, ';', 'send-keys', ...pane, 'Enter');
    await untilScreen(daemon, id, 'Compacted');
    await daemon.start();
    await daemon.until(id, is('compaction ended'));
    const told = await daemon.until(id, is('notice-posted', { about: 'compaction' }));
    await daemon.until(parent, is('message answered', { message: told.notice }));
    expect(count(await promptsOf(daemon, parent), 'Compaction fired for crash-both')).toBe(1);
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
  });
});

describe('plain posts', () => {
  it('about a session that nobody knows: unknown_session', async () => {
    for (const event of ['compaction', 'compaction_complete', 'context_reset', undefined])
      expect(await post({ session_id: 'feedfeed', event, used_percentage: 50 })).toEqual({
        status: 200,
        body: { status: 'unknown_session' },
      });
  });

  it('context_reset: how full the context was is forgotten', async () => {
    const id = await startIdle(daemon, 'reset');
    const sample = { session_id: id, used_percentage: 61, total_input_tokens: 122_000 };
    expect((await post(sample)).body).toEqual({ status: 'ok', used_percentage: 61 });
    expect((await daemon.session(id)).tokens_used).toBe(122_000);
    expect((await post({ session_id: id, event: 'context_reset' })).status).toBe(200);
    expect(await daemon.session(id)).toMatchObject({ tokens_used: 0, context: { used_percentage: null } });
  });

  it.each(['{', '', 'null', '[]', '"text"', '7', '{"session_id":', '\u0000'])(
    '%j is no object, and refused',
    async (body) => {
      expect((await post(body)).status).toBe(400);
    },
  );

  it('without the content type of JSON are refused: a web page can send such', async () => {
    expect((await post('{}', { 'content-type': 'text/plain' })).status).toBe(415);
  });

  it('of wrong types teach nothing, and break nothing', async () => {
    const id = await startBusy('wrong');
    await begins(id);
    const wrong = [null, true, -1, 101, 1e300, 'fifty', [], {}, [50], { $gt: 1 }];
    const bodies: object[] = [
      ...wrong.filter((value) => value !== null).map((used_percentage) => ({ used_percentage })),
      ...wrong.map((event) => ({ event })),
      { event: 'compaction_completed' },
      { total_input_tokens: 'many' },
      {},
    ];
    for (const body of bodies) {
      const answer = await post({ session_id: id, ...body });
      expect([body, answer]).toEqual([body, { status: 200, body: { status: 'ok', used_percentage: null } }]);
    }
    for (const session_id of [...wrong, '__proto__', '../../etc/passwd', 'x'.repeat(100_000)])
      expect((await post({ session_id, event: 'compaction' })).body).toEqual({ status: 'unknown_session' });
    for (const trigger of [...wrong, 'x'.repeat(100_000)])
      expect((await post({ session_id: id, event: 'compaction', trigger })).status).toBe(200);
    expect((await daemon.session(id)).phase).toBe('compacting');
    release('go-wrong');
  });
});
