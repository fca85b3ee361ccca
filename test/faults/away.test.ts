// What happens while the daemon, or the whole terminal, is away: nothing is lost over it, and nothing comes twice.

import { afterEach, describe, expect, it } from 'vitest';
import { type CrashWorld, createCrashWorld } from '../support/crash-world.ts';
import { is } from '../support/talk.ts';

let world: CrashWorld | undefined;
afterEach(() => world?.daemon.dispose());

async function begun(): Promise<CrashWorld> {
  world = await createCrashWorld();
  await world.begin(null);
  return world;
}

const times = (texts: readonly string[], part: string) => texts.filter((text) => text.includes(part)).length;

describe('hooks that come while the daemon is away', () => {
  it('are heard when it is back: the turn has ended, its sender hears so once, and the next message goes', async () => {
    const { daemon, hand, boss, ...rest } = await begun();
    const sender_session_id = boss;
    const input = `/sessions/${hand}/input`;
    await daemon.call('POST', input, { text: 'work [[wait go]] [[say all done]]', sender_session_id });
    await rest.event(hand, 'turn began');
    await daemon.call('POST', input, { text: 'next [[say and that]]', sender_session_id });
    await daemon.crash();
    rest.release('go');
    await rest.screen(hand, (rows) => rows.includes('● all done'));
    await daemon.start();
    await rest.event(boss, 'message answered');
    const { notice } = await rest.event(hand, 'notice-posted', { about: 'turn-end' });
    await rest.event(boss, 'message answered', { message: notice });
    await rest.event(hand, 'turn ended', { last_words: 'and that' });
    await rest.surely(() => daemon.untilSession(boss, ({ phase }) => phase === 'idle'));
    await daemon.until(
      boss,
      (event) => is('turn ended')(event) && String(event.last_words).includes('and that'),
    );
    await rest.end();
    await rest.begin(null);
    expect(times(rest.taken(hand), 'work [[')).toBe(1);
    expect(times(rest.taken(hand), 'next [[')).toBe(1);
    expect(times(rest.taken(boss), 'hand stopped:\nall done')).toBe(1);
    expect(times(rest.taken(boss), 'hand stopped:\nand that')).toBe(1);
  });
});

describe('a tmux server that is killed', () => {
  it('takes the agents along; what waited is held until they are restored, and then arrives once', async () => {
    const { daemon, hand, boss, ...rest } = await begun();
    const input = `/sessions/${hand}/input`;
    await daemon.call('POST', input, { text: 'work [[hang]]' });
    await rest.event(hand, 'turn began');
    await rest.screen(hand, (rows) => rows.includes('●'));
    await daemon.call('POST', input, { text: 'waits [[say got it]]', sender_session_id: boss });
    await daemon.tmux('kill-server');
    const gone = (phase: string) => phase === 'lost' || phase === 'exited';
    await daemon.untilSession(hand, ({ phase }) => gone(phase));
    await daemon.untilSession(boss, ({ phase }) => gone(phase));
    const late = await daemon.call('POST', input, { text: 'comes later [[say that too]]' });
    expect(late).toMatchObject({ status: 200, body: { status: 'queued' } });
    for (const session of [boss, hand])
      expect((await daemon.call('POST', `/sessions/${session}/restore`, {})).status).toBe(200);
    await rest.event(hand, 'turn ended', { end: 'ended' });
    const { notice } = await rest.event(hand, 'notice-posted', { about: 'turn-end', to: boss });
    await rest.event(boss, 'message answered', { message: notice });
    await rest.end();
    await rest.begin(null);
    expect(times(rest.taken(hand), 'work [[')).toBe(1);
    expect(times(rest.taken(hand), 'waits [[')).toBe(1);
    expect(times(rest.taken(hand), 'comes later [[')).toBe(1);
    expect(times(rest.taken(boss), 'that too')).toBe(1);
  });
});
