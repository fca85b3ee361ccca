// Reminders and a real compaction on the real Claude Code: what it takes, and how often, by its own transcript.
import { beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { prepareClaudeHome } from './claude-home.ts';

const command = process.env.SM_TEST_CLAUDE ?? '';
const { root, keep } = tidy('claude-reminders');
let daemon: TestDaemon;
let model: Awaited<ReturnType<typeof startModelServer>>;
let home: ReturnType<typeof prepareClaudeHome>;

beforeAll(async () => {
  model = keep(await startModelServer());
  home = prepareClaudeHome(root, model.url);
  const args = ['--dangerously-skip-permissions'];
  daemon = keep(
    await startTestDaemon({
      config: { claude: { command, args, default_model: 'claude-sonnet-4-5-20250929' } },
    }),
  );
});

const soft = '[sm remind] Update your status: sm status "your current progress"';
const hard = '[sm remind] Status overdue. Run: sm status "your current progress"';
const times = (texts: readonly string[], part: string) => texts.filter((text) => text.includes(part)).length;

async function start(prompt: string): Promise<string> {
  const id = await startWith(daemon, prompt, {
    provider: 'claude',
    working_dir: home.cwd,
    env: home.env,
  });
  await daemon.until(id, is('turn ended'));
  return id;
}

/** A loop of tools, in small steps: what comes is taken up at the next one. */
const loop = (rounds: number) =>
  `[[bashes ${rounds} timeout 0.5 tail -f /dev/null]] [[say the loop is over]]`;

/** The transcript lags behind the hooks. */
const taken = (id: string, text: string) =>
  until(`${text} in the transcript`, async () => times(await promptsOf(daemon, id), text) === 1);

describe('a reminder for Claude Code', () => {
  it('soft: is taken up by a busy agent without interrupting it, exactly once', async () => {
    const id = await start('hello [[say ready]]');
    const { message_id } = await sendText(daemon, id, `work ${loop(10)}`, {
      remind_soft_threshold: 2,
      remind_hard_threshold: 600,
    });
    const sent = await daemon.until(id, is('reminder sent', { kind: 'soft' }));
    await daemon.until(id, is('message answered', { message: message_id }));
    const events = await daemon.events(id);
    const answers = events.filter(is('message answered'));
    expect(answers.find(({ message }) => message === sent.message)?.turn).toBe(
      answers.find(({ message }) => message === message_id)?.turn,
    );
    expect(events.filter(is('turn ended')).map(({ end }) => end)).toEqual(['ended', 'ended']);
    expect(events.filter(is('reminder sent'))).toHaveLength(1);
    expect(events.filter(is('message typed', { message: sent.message }))).toHaveLength(1);
    await taken(id, soft);
    expect((await daemon.session(id)).reminder).toBeNull();
  });

  it('hard: interrupts it, and what it was asked goes on in the turn of the reminder', async () => {
    const id = await start('hello [[say ready]]');
    const { message_id } = await sendText(daemon, id, `work ${loop(60)}`, {
      remind_soft_threshold: 4,
      remind_hard_threshold: 8,
    });
    const sent = await daemon.until(id, is('reminder sent', { kind: 'hard' }));
    const cut = await daemon.until(id, is('turn ended', { end: 'cut-off' }));
    const began = await daemon.until(id, is('turn began'), cut.number);
    expect(began.messages).toEqual(expect.arrayContaining([message_id, sent.message]));
    const answered = await daemon.until(id, is('message answered', { message: message_id }));
    expect(answered.turn).toBe(began.turn);
    for (const text of [soft, hard]) await taken(id, text);
    await daemon.untilSession(id, ({ reminder }) => reminder === null);
  });
});

describe('a real compaction', () => {
  it('holds back a reminder and an urgent message, and both come after it, once', async () => {
    const id = await start('a long story [[say once upon a time]]');
    const thresholds = { soft_threshold: 3, hard_threshold: 600 };
    expect((await daemon.sm('slash', id, '/compact [[summary 6]]')).code).toBe(0);
    await daemon.until(id, is('compaction began', { trigger: 'manual' }));
    expect((await daemon.call('POST', `/sessions/${id}/remind`, thresholds)).status).toBe(200);
    const urgent = await sendText(daemon, id, `now ${loop(12)}`, { delivery_mode: 'urgent' });
    expect(urgent).toMatchObject({ status: 'queued', waits_for: 'compacting' });
    const ended = await daemon.until(id, is('compaction ended'));
    const accepted = await daemon.until(id, is('message accepted', { message: urgent.message_id }));
    const sent = await daemon.until(id, is('reminder sent', { kind: 'soft' }));
    expect(accepted.number).toBeGreaterThan(ended.number);
    expect(Date.parse(sent.at) - Date.parse(ended.at)).toBeGreaterThanOrEqual(3_000);
    await daemon.until(id, is('message answered', { message: urgent.message_id }));
    const events = await daemon.events(id);
    expect(events.filter(is('reminder sent'))).toHaveLength(1);
    // The lines that the compaction itself writes are no turn.
    expect(events.filter(is('turn ended')).map(({ end }) => end)).toEqual(['ended', 'ended']);
    for (const text of [soft, `#${urgent.message_id}:`]) await taken(id, text);
    expect((await daemon.session(id)).phase).toBe('idle');
  }, 120_000);

  it('inside a turn, before any output: an urgent message waits, and then goes together with the prompt that it cut', async () => {
    const id = await start('one [[summary 6]]');
    for (const text of ['two', 'three']) {
      const { message_id } = await sendText(daemon, id, text);
      await daemon.until(id, is('message answered', { message: message_id }));
    }
    const work = await sendText(daemon, id, 'work [[toolong]] [[sleep 2]]', { remind_soft_threshold: 3 });
    await daemon.until(id, is('compaction began', { trigger: 'auto' }));
    const urgent = await sendText(daemon, id, 'now [[say at once]]', { delivery_mode: 'urgent' });
    expect(urgent).toMatchObject({ status: 'queued', waits_for: 'compacting' });
    const ended = await daemon.until(id, is('compaction ended'));
    const accepted = await daemon.until(id, is('message accepted', { message: urgent.message_id }));
    expect(accepted.number).toBeGreaterThan(ended.number);
    const answered = await daemon.until(id, is('message answered', { message: work.message_id }));
    expect(answered.turn).toBe(accepted.turn);
    const early = (await daemon.events(id)).filter(
      (event) => is('reminder sent')(event) && event.number < ended.number,
    );
    expect(early).toEqual([]);
    await taken(id, `#${urgent.message_id}:`);
  }, 120_000);
});
