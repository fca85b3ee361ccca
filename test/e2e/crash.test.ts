// A crash of the daemon at every named point of a spawn: after the restart there is one session, one agent, and its
// first prompt arrived exactly once, counted at the agent.

import { afterEach, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { jsonLines } from '../support/json-lines.ts';
import { is } from '../support/talk.ts';

let daemon: TestDaemon | undefined;
afterEach(() => daemon?.dispose());

const points = [
  'commit:after#1',
  'effect:launch:before',
  'effect:launch:after',
  'commit:before#2',
  'commit:after#2',
  'commit:before#3',
  'commit:after#3',
  'effect:look:before',
  'effect:look:after',
  'commit:before#4',
  'commit:after#4',
  'effect:submit:before',
  'effect:submit:after',
  'commit:before#5',
  'commit:after#5',
  'commit:before#6',
  'commit:after#6',
];

/** How often the agent itself has the prompt. */
function promptsOf(session: SessionView): string[] {
  return jsonLines(session.transcript_path as string)
    .filter(
      (line) =>
        line.type === 'user' &&
        typeof line.message?.content === 'string' &&
        line.message.content.includes('[sm] from'),
    )
    .map((line) => line.message.content);
}

describe('a daemon that is killed in the middle of a spawn', { concurrent: false }, () => {
  it('before anything was stored: there is nothing', async () => {
    daemon = await startTestDaemon();
    await daemon.crash();
    await daemon.start({ SM_CRASH_AT: 'commit:before' });
    await expect(spawn(daemon)).rejects.toThrow();
    await daemon.death();
    await daemon.start();
    expect((await daemon.call<{ sessions: [] }>('GET', '/sessions')).body.sessions).toEqual([]);
  });

  it.each(points)('at %s: one agent, one prompt', async (point) => {
    daemon = await startTestDaemon();
    await daemon.crash();
    await daemon.start({ SM_CRASH_AT: point });
    await spawn(daemon).catch(() => undefined);
    await daemon.death();
    await daemon.start();

    const { body } = await daemon.call<{ sessions: SessionView[] }>('GET', '/sessions');
    expect(body.sessions).toHaveLength(1);
    const [{ id }] = body.sessions as [SessionView];
    const end = await daemon.until(id, is('turn ended'));
    expect(end).toMatchObject({ end: 'ended', last_words: 'arrived' });
    const session = await daemon.untilSession(id, (each) => each.phase === 'idle');
    expect(promptsOf(session)).toHaveLength(1);
    const panes = (await daemon.tmux('list-panes', '-a', '-F', '#{session_name}'))
      .trim()
      .split('\n')
      .filter((name) => name !== 'sm-anchor');
    expect(panes).toEqual([`sm-${id}`]);
    const states = (await daemon.events(id))
      .filter(({ state }) => state === 'accepted' || state === 'answered')
      .map(({ state }) => state);
    expect(states).toEqual(['accepted', 'answered']);
  });
});

function spawn(on: TestDaemon): Promise<unknown> {
  return on.call('POST', '/sessions/spawn', {
    prompt: 'hello [[say arrived]]',
    provider: 'scripted',
    working_dir: on.work,
  });
}
