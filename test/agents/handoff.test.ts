// Contexts and handoffs on the real Claude Code: by its own account of how full it is, its own call of `sm handoff`, its
// own transcripts, and what its model is asked.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startIdle, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { prepareClaudeHome } from './claude-home.ts';

const command = process.env.SM_TEST_CLAUDE ?? '';
const { root, keep } = tidy('claude-handoff');
const crashAt = join(root, 'crash-at');
let daemon: TestDaemon;
let model: Awaited<ReturnType<typeof startModelServer>>;
let home: ReturnType<typeof prepareClaudeHome>;

beforeAll(async () => {
  model = keep(await startModelServer());
  home = prepareClaudeHome(root, model.url);
  // A step of some length: the agent forbids a bare sleep.
  document('tick', 'timeout 0.3 tail -f /dev/null');
  document('hold', 'for i in $(seq 1200); do [ ! -e "$1" ] || break; timeout 0.05 tail -f /dev/null; done');
  const args = ['--dangerously-skip-permissions'];
  daemon = keep(
    await startTestDaemon({
      // A model whose window is 200,000 tokens.
      config: { claude: { command, args, default_model: 'claude-sonnet-4-5-20250929' } },
      env: { SM_CRASH_AT: `@${crashAt}` },
    }),
  );
});

async function start(name: string, more: object = {}): Promise<string> {
  const id = await startWith(daemon, 'hello [[say ready]]', {
    name,
    provider: 'claude',
    working_dir: home.cwd,
    env: home.env,
    ...more,
  });
  await daemon.until(id, is('turn ended'));
  return id;
}

/** What the model is to do in the new context stands in the name of the document, which the prompt repeats. */
function document(name: string, text: string): string {
  const path = join(home.cwd, name);
  writeFileSync(path, text);
  return path;
}

const promptFor = (path: string) => `Read ${path} and continue from where you left off.`;

async function answered(id: string, text: string): Promise<void> {
  const { message_id } = await sendText(daemon, id, text);
  await daemon.until(id, is('message answered', { message: message_id }));
}

/** The transcript lags behind the hooks. */
async function untilTold(id: string, text: string): Promise<void> {
  await until(`${text} in the transcript`, async () => count(await promptsOf(daemon, id), text) === 1);
}

const count = (texts: readonly string[], part: string) => texts.filter((text) => text.includes(part)).length;

// Busy machines are slow: what is waited for says itself when it does not come.
vi.setConfig({ testTimeout: 180_000 });

describe('how full the context is, by Claude Code’s own account', () => {
  it('is told to it at 50 and at 65 %, once each, whatever comes after', async () => {
    const id = await start('full');
    const marks = async () => (await daemon.events(id)).filter(is('usage marked')).map(({ mark }) => mark);
    await answered(id, 'one [[usage 97000]]');
    await daemon.untilSession(id, ({ tokens_used }) => tokens_used === 97_000);
    expect(await marks()).toEqual([]);
    await answered(id, 'two [[usage 100000]]');
    const warning = await daemon.until(id, is('usage marked', { mark: 'warning' }));
    expect(warning.percentage).toBe(50);
    // The warning's own turn has a small one, which arms nothing.
    await untilTold(id, '[sm context] Context at 50% (100,000 tokens). Consider writing a handoff doc');
    await answered(id, 'three [[usage 110000]]');
    expect(await marks()).toEqual(['warning']);
    const work = await sendText(daemon, id, 'four [[usage 130000]] [[bashes 60 sh tick]]');
    const critical = await daemon.until(id, is('usage marked', { mark: 'critical' }));
    expect(critical.percentage).toBe(65);
    // It is urgent: the loop is cut, and goes on in the turn of what cut it.
    await daemon.until(id, is('turn ended', { end: 'cut-off' }));
    await daemon.until(id, is('message answered', { message: work.message_id }));
    await untilTold(id, '[sm context] Context at 65% — critically high. Write your handoff doc NOW');
    await answered(id, 'five [[usage 140000]]');
    await answered(id, 'six [[usage 105000]]');
    expect(await marks()).toEqual(['warning', 'critical']);
    expect(count(await promptsOf(daemon, id), '[sm context]')).toBe(2);
  });
});

const nowhere = 'nowhere';

/** Of whichever session: nothing is at work but one. The times that each is passed are told apart. */
function effectsIn(passed: string): string[] {
  const times = new Map<string, number>();
  return passed.split('\n').flatMap((line) => {
    const point = line.split('@', 1)[0] as string;
    times.set(point, (times.get(point) ?? 0) + 1);
    return point.startsWith('effect:') ? [`${point}#${times.get(point)}`] : [];
  });
}

describe('a handoff of Claude Code', () => {
  it('goes from its own call to the first answer in the new context, and what waits comes after', async () => {
    const parent = await startIdle(daemon, 'boss');
    const id = await start('worker', { parent_session_id: parent });
    const before = await daemon.session(id);
    const path = document('notes [[bashes 40 sh tick]].md', 'Go on with step two.');
    const work = await sendText(
      daemon,
      id,
      `work [[bash sm handoff notes*]] [[background sh hold go-on]] [[say bye]]`,
      {
        sender_session_id: parent,
      },
    );
    // A task runs in the background, and is waited for.
    await daemon.untilSession(id, ({ phase }) => phase === 'rotating');
    const waits = await sendText(daemon, id, 'waits [[say had to wait]]');
    const urgent = await sendText(daemon, id, 'now [[say at once]]', { delivery_mode: 'urgent' });
    document('go-on', '');
    const done = await daemon.until(id, is('handoff done'));
    const cut = await daemon.until(id, is('turn ended', { end: 'cut-off' }), done.number);
    const accepted = await daemon.until(id, is('message accepted', { message: urgent.message_id }));
    expect(accepted.number).toBeGreaterThan(cut.number);
    for (const { message_id } of [urgent, waits])
      await daemon.until(id, is('message answered', { message: message_id }));
    // It went on in the new context, and there the urgent message cut it off.
    await daemon.until(id, is('message cut-off', { message: work.message_id }));
    const after = await daemon.session(id);
    expect(after).toMatchObject({
      id,
      display_name: 'worker',
      parent_session_id: parent,
      last_handoff_path: path,
      context: { number: before.context.number + 1 },
    });
    expect(after.context.provider_id).not.toBe(before.context.provider_id);
    expect(after.tmux_session).toBe(before.tmux_session);
    await untilTold(id, `#${waits.message_id}:`);
    expect((await promptsOf(daemon, id)).filter((text) => !text.startsWith('[Request interrupted'))).toEqual([
      promptFor(path),
      // It cut the first turn of the new context, at whose end the other one goes.
      `[sm] from the user #${urgent.message_id}:\nnow [[say at once]]\n\n` +
        `[sm] from the user #${waits.message_id}:\nwaits [[say had to wait]]`,
    ]);
    // Of the turns of its first prompt and of this one.
    const told = (await daemon.events(id)).filter(is('notice-posted', { about: 'turn-end', to: parent }));
    expect(told).toHaveLength(2);
  });

  it('--auto: it writes its document when it is nearly full, and is rotated without a further call', async () => {
    const id = await start('auto');
    // One from before does not count.
    const path = document('auto [[bash sh write]].md', 'Old.');
    document('write', `echo Step two is next. > 'auto [[bash sh write]].md'`);
    await answered(id, 'prepare [[bash sm handoff --auto auto*]] [[say prepared]]');
    await sendText(daemon, id, 'fill [[usage 130000]] [[say full]]');
    await daemon.until(id, is('handoff done', { path }));
    await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    await untilTold(id, promptFor(path));
    expect(await promptsOf(daemon, id)).toEqual([promptFor(path)]);
    expect((await daemon.sm('handoff', '--show', 'auto')).stdout).toBe('Step two is next.\n');
  });

  it('gets its prompt exactly once when the daemon is killed between any two of its steps', async () => {
    const id = await start('crashed');
    const deaths: string[] = [];
    const rotate = async (name: string, point: string) => {
      const path = document(`${name}.md`, 'Go on.');
      const mark = (await daemon.events(id)).at(-1)?.number ?? 0;
      const text = `work [[bash sm handoff ${name}.md]] [[bash sh hold go-${name}]] [[say bye]]`;
      const { message_id } = await sendText(daemon, id, text);
      await daemon.until(id, is('handoff scheduled', { path }), mark);
      rmSync(`${crashAt}.passed`, { force: true });
      writeFileSync(crashAt, point);
      document(`go-${name}`, '');
      // It moves with the handoff to the turn of its prompt.
      const isAnswered = async () => {
        await daemon.until(id, is('message answered', { message: message_id }), mark);
        await daemon.untilSession(id, ({ phase }) => phase === 'idle');
      };
      // A pane is not looked at equally often each time: then it does not come to that point, and nothing dies.
      const lives = isAnswered().then(
        () => true,
        () => false,
      );
      const isAlive = await Promise.race([daemon.death().then(() => false), lives]);
      rmSync(crashAt);
      if (!isAlive) {
        await daemon.death();
        deaths.push(point);
        await daemon.start();
        await isAnswered();
      }
      await untilTold(id, promptFor(path));
      const contexts = (await daemon.events(id)).filter(
        (event) => is('context began')(event) && event.number > mark,
      );
      const { phase, last_handoff_path } = await daemon.session(id);
      expect([await promptsOf(daemon, id), contexts.length, phase, last_handoff_path], point).toEqual([
        [promptFor(path)],
        1,
        'idle',
        path,
      ]);
    };
    await rotate('undisturbed', nowhere);
    const points = effectsIn(readFileSync(`${crashAt}.passed`, 'utf8'));
    for (const step of ['check-document', 'submit', 'publish-document'])
      expect(points).toEqual(expect.arrayContaining([`effect:${step}:before#1`, `effect:${step}:after#1`]));
    for (const [n, point] of points.entries()) await rotate(`crash-${n}`, point);
    // On a busy machine Enter may be pressed once more: then there is a third typing, or there is none.
    const always = points.filter((point) => !/^effect:(look:|submit:.*#[3-9])/.test(point));
    expect(deaths).toEqual(expect.arrayContaining(always));
  });
});

describe('a compaction of Claude Code', () => {
  /** What its model is asked after a compaction: of all that stands there, what our hook has said. */
  async function compacted(id: string, how: 'auto' | 'manual'): Promise<string | null> {
    for (const text of ['two', 'three']) await answered(id, text);
    if (how === 'manual') {
      expect((await daemon.sm('slash', id, '/compact')).code).toBe(0);
      await daemon.until(id, is('compaction ended'));
    }
    const before = model.requests().length;
    await answered(id, how === 'auto' ? 'work [[toolong]] [[say compacted]]' : 'next [[say compacted]]');
    expect((await daemon.events(id)).filter(is('compaction began', { trigger: how }))).toHaveLength(1);
    const asked = model
      .requests()
      .slice(before)
      .filter(({ wantsSummary, isSideQuery }) => !wantsSummary && !isSideQuery);
    const texts = asked
      .at(-1)
      ?.body.messages.flatMap(({ content }) =>
        typeof content === 'string' ? [content] : content.map(({ text }) => text ?? ''),
      );
    expect(texts?.join('\n')).toContain('This session is being continued from');
    const found = texts?.flatMap(
      (text) => /SessionStart hook additional context: ([\s\S]*)\n<\/system-reminder>/.exec(text)?.[1] ?? [],
    );
    return found?.[0] ?? null;
  }

  async function handedOver(name: string, text: string): Promise<{ id: string; path: string }> {
    const id = await start(name);
    const path = document(`${name}.md`, text);
    await answered(id, `work [[bash sm handoff ${name}.md]] [[say bye]]`);
    return { id, path };
  }

  it('gives back what was handed over last: it stands in the next request', async () => {
    const text = 'Step one is done.\n"Step two" is next: 100 % — ünïcödé, \\back\\slash.\n';
    const { id } = await handedOver('by-itself', text);
    expect((await compacted(id, 'auto'))?.trim()).toBe(text.trim());
  });

  it('says nothing where nothing was handed over', async () => {
    expect(await compacted(await start('unhanded'), 'auto')).toBeNull();
  });

  it('cuts a long document, with a pointer to the whole, so that the agent does not cut it itself', async () => {
    const { id, path } = await handedOver('long', `Begin.${'字'.repeat(20_000)}`);
    const pointer = `\n\n[The document continues. Read all of it: ${path}]`;
    expect(await compacted(id, 'manual')).toBe(`Begin.${'字'.repeat(9_500 - pointer.length - 6)}${pointer}`);
  });
});
