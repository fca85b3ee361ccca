// opencode in a pane: what is particular to an agent that has a terminal and is not typed to.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { startChatServer } from '../model/chat.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, sendText, startWith, untilScreen } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { type OpencodeHome, prepareOpencodeHome, takenBy } from './opencode-home.ts';

const { root, keep } = tidy('opencode');
let daemon: TestDaemon;
let model: Awaited<ReturnType<typeof startChatServer>>;
let home: OpencodeHome;

beforeAll(async () => {
  model = keep(await startChatServer());
  home = prepareOpencodeHome(root, model.url);
  daemon = keep(
    await startTestDaemon({ config: { opencode: { command: process.env.SM_TEST_OPENCODE ?? '' } } }),
  );
}, 60_000);
afterEach(async () => {
  const { body } = await daemon.call<{ sessions: SessionView[] }>('GET', '/sessions');
  for (const { id, phase } of body.sessions) if (phase !== 'exited') await daemon.sm('kill', id);
}, 60_000);

async function idle(words = 'ready'): Promise<string> {
  const id = await startWith(daemon, `hello [[say ${words}]]`, {
    ...{ provider: 'opencode', working_dir: home.cwd, env: home.env },
  });
  await daemon.until(id, is('turn ended'));
  return id;
}
const pane = (id: string) => `=sm-${id}:`;
const types = (id: string, text: string) => daemon.tmux('send-keys', '-t', pane(id), '-l', text);
const presses = (id: string, key: string) => daemon.tmux('send-keys', '-t', pane(id), key);
const last = async (id: string) => (await daemon.events(id)).at(-1)?.number ?? 0;

describe('opencode', () => {
  it('shows its human what we send; what he has half typed stays, holds nothing back, and is his to send', async () => {
    const id = await idle('first words');
    await untilScreen(daemon, id, 'first words');
    await types(id, 'half a thought');
    await untilScreen(daemon, id, 'half a thought');
    for (const [delivery_mode, words] of [
      ['sequential', 'second words'],
      ['urgent', 'third words'],
    ] as const) {
      const { message_id } = await sendText(daemon, id, `go on [[say ${words}]]`, { delivery_mode });
      await daemon.until(id, is('message answered', { message: message_id }));
      await untilScreen(daemon, id, words);
      await untilScreen(daemon, id, 'half a thought');
    }
    const mark = await last(id);
    await presses(id, 'Enter');
    const { number } = await daemon.until(id, is('turn began'), mark);
    await daemon.until(id, is('turn ended', { end: 'ended' }), number);
    const { context } = await daemon.session(id);
    expect(takenBy(home, context.provider_id as string).at(-1)).toBe('half a thought');
  });

  it('is interrupted by its human, and by a key from afar', async () => {
    const id = await idle();
    await untilScreen(daemon, id, 'ready');
    for (const press of [
      () => presses(id, 'Escape'),
      () => daemon.call('POST', `/sessions/${id}/key`, { key: 'Escape' }),
    ]) {
      const mark = await last(id);
      const { message_id } = await sendText(daemon, id, `count [[sleep 60]]`);
      await model.waitForRequest(({ prompt }) => prompt.includes(`#${message_id}:`));
      await untilScreen(daemon, id, 'esc interrupt');
      await press();
      await untilScreen(daemon, id, 'esc again to interrupt');
      await press();
      await daemon.until(id, is('turn ended', { end: 'interrupted' }), mark);
    }
    expect(await daemon.session(id)).toMatchObject({ phase: 'idle' });
  });

  it('urgent: what waited inside it goes again together with the urgent one, and stands in its history once', async () => {
    const id = await idle();
    const mark = await last(id);
    const first = await sendText(daemon, id, 'tool [[bash touch in-tool; timeout 60 tail -f /dev/null]]');
    await vi.waitFor(() => expect(existsSync(join(home.cwd, 'in-tool'))).toBe(true), { timeout: 60_000 });
    const waits = await sendText(daemon, id, 'by the way', { delivery_mode: 'important' });
    await daemon.until(id, is('message accepted', { message: waits.message_id }));
    const urgent = await sendText(daemon, id, 'stop that [[say stopped]]', { delivery_mode: 'urgent' });
    await daemon.until(id, is('message answered', { message: urgent.message_id }));
    await daemon.until(id, is('message answered', { message: waits.message_id }));
    const ends = (await daemon.events(id)).filter(({ number }) => number > mark).filter(is('turn ended'));
    expect(ends.map(({ end }) => end)).toEqual(['cut-off', 'ended']);
    const { context } = await daemon.session(id);
    const taken = takenBy(home, context.provider_id as string).join('\n');
    for (const { message_id } of [first, waits, urgent])
      expect(taken.split(`#${message_id}:`), taken).toHaveLength(2);
  });

  it('goes with its human to the conversation that he begins', async () => {
    const id = await idle('in the first');
    await untilScreen(daemon, id, 'in the first');
    const before = await daemon.session(id);
    await types(id, '/new');
    await untilScreen(daemon, id, '/new');
    await presses(id, 'Enter');
    await untilScreen(daemon, id, 'Ask anything');
    await types(id, 'of mine [[say in the second]]');
    await untilScreen(daemon, id, 'in the second]]');
    await presses(id, 'Enter');
    const { number } = await daemon.until(id, is('context began', { context: 2 }));
    expect((await daemon.until(id, is('turn ended'), number)).last_words).toBe('in the second');
    const after = await daemon.session(id);
    expect(after.context.provider_id).not.toBe(before.context.provider_id);
    const { message_id } = await sendText(daemon, id, 'and I? [[say here as well]]');
    await daemon.until(id, is('message answered', { message: message_id }));
    await untilScreen(daemon, id, 'here as well');
  });

  it('lives through a crash of the daemon; what it said meanwhile is heard, once; and it leaves nothing behind', async () => {
    const id = await idle();
    const first = await sendText(daemon, id, 'long [[bash sleep 2]] [[say survived]]');
    await daemon.until(id, is('message accepted', { message: first.message_id }));
    await daemon.crash();
    await model.waitForRequest(
      ({ prompt, toolResults }) => prompt.includes('long [[') && toolResults.length > 0,
      60_000,
    );
    await daemon.start();
    await daemon.until(id, is('turn ended', { last_words: 'survived' }));
    const { message_id } = await sendText(daemon, id, 'and now [[say still here]]');
    await daemon.until(id, is('message answered', { message: message_id }));
    expect((await daemon.events(id)).filter(is('turn began'))).toHaveLength(3);
    await daemon.sm('kill', id);
    const beside = () =>
      readdirSync('/proc').filter((pid) => {
        try {
          return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`sessions/${id}`);
        } catch {
          return false;
        }
      });
    await vi.waitFor(() => expect(beside()).toEqual([]), { timeout: 20_000 });
  });

  it('that cannot be started says why', async () => {
    const id = await startWith(daemon, 'hello', {
      ...{ provider: 'opencode', working_dir: home.cwd, env: home.env },
      options: { args: ['--no-such-option'] },
    });
    const gone = await daemon.untilSession(id, ({ phase }) => phase === 'exited');
    expect(gone.ended?.reason).toBe('exit code 1');
    expect((await daemon.sm('output', id)).stdout).toContain('Options:');
  });
});
