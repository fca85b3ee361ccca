// The crash matrix: every flow of a message once undisturbed, to learn which points it passes, and then once for each
// of them with `kill -9` there and a restart. Counted at the agents: every message exactly once, every notice once.
import { describe, expect, it } from 'vitest';
import type { EventView } from '../../src/protocol/session.ts';
import { type Flow, kindOf, play, pointsOf } from './crash-flow.ts';
import { type CrashWorld, createCrashWorld } from './crash-world.ts';

const byBoss = ({ boss }: CrashWorld, { from }: EventView) => (from as { id?: string }).id === boss;

function send(world: CrashWorld, text: string, mode = 'sequential'): Promise<void> {
  const body = { text, sender_session_id: world.boss, delivery_mode: mode };
  return world.ask(
    `/sessions/${world.hand}/input`,
    body,
    (event) => event.type === 'message-queued' && event.mode === mode && byBoss(world, event),
  );
}

/** The hand's work was told to the boss, and the boss has taken it in. */
async function told(world: CrashWorld): Promise<void> {
  const { notice } = await world.event(world.hand, 'notice-posted', { about: 'turn-end' });
  await world.event(world.boss, 'message-answered', { message: notice });
}

/** The hand works on something that it was told by nobody in particular. */
async function busy(world: CrashWorld, text: string): Promise<void> {
  await world.daemon.call('POST', `/sessions/${world.hand}/input`, { text });
  await world.event(world.hand, 'turn-began');
}

/** It has begun to answer, so that its prompt does not come back when it is cut. */
function hasWords({ screen, hand }: CrashWorld, mark: string): Promise<void> {
  return screen(hand, (rows) => (rows.split(`first ${mark}`)[1] ?? '').includes('●'));
}

/** The agent has it for its next step; or the daemon died over it, and then it may wait for the end of the turn. */
async function given({ event, hand }: CrashWorld): Promise<void> {
  await event(hand, ['message-accepted', 'session-adopted']);
}

const toIdle: Flow = {
  async run(world, mark) {
    await send(world, `${mark} [[say done ${mark}]]`);
    await told(world);
  },
  hand: (mark) => ({ [`:\n${mark} [[`]: 1 }),
  boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
  passes: ['effect:look:before', 'effect:submit:after', 'effect:post:before', 'effect:post:after'],
};

const flows: Record<string, Flow> = {
  'to an idle agent': { ...toIdle, until: 'effect:post:before@hand#1' },
  'to an idle agent, while its end is told': { ...toIdle, from: 'effect:post:before@hand#1' },
  'important, to an agent that only speaks': {
    before: (world, mark) => busy(world, `first ${mark} [[wait go-${mark}]]`),
    async run(world, mark) {
      await send(world, `${mark} [[say done ${mark}]]`, 'important');
      await given(world);
      world.release(`go-${mark}`);
      await told(world);
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1, [`:\n${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:look:before', 'effect:submit:after', 'effect:post:after'],
    until: 'effect:post:before@hand#1',
  },
  'important, to an agent in a tool loop': {
    before: (world, mark) =>
      busy(world, `first ${mark} [[bash while [ ! -e go-${mark} ] && kill -0 $PPID; do sleep 0.02; done]]`),
    async run(world, mark) {
      await send(world, `by the way ${mark} [[say done ${mark}]]`, 'important');
      await given(world);
      world.release(`go-${mark}`);
      await told(world);
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1, [`:\nby the way ${mark}`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:look:before', 'effect:submit:after', 'effect:post:after'],
    until: 'effect:post:before@hand#1',
  },
  'urgent, to an agent that speaks': {
    async before(world, mark) {
      await send(world, `first ${mark} [[hang]]`);
      await world.event(world.hand, 'turn-began');
      await hasWords(world, mark);
    },
    async run(world, mark) {
      await send(world, `${mark} [[say done ${mark}]]`, 'urgent');
      await told(world);
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1, [`:\n${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:escape:before', 'effect:escape:after', 'effect:submit:before', 'effect:post:after'],
    until: 'effect:submit:after@hand#1',
  },
  'urgent, to an agent that has not answered anything': {
    async before(world, mark) {
      await send(world, `first ${mark} [[wait go-${mark}]]`);
      await world.event(world.hand, 'turn-began');
    },
    async run(world, mark) {
      await send(world, `${mark} [[say done ${mark}]]`, 'urgent');
      // What came back goes with it, and is worked on again.
      await world.event(world.hand, 'message-accepted');
      world.release(`go-${mark}`);
      await told(world);
    },
    hand: (mark) => ({ [`:\n${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:escape:before', 'effect:escape:after', 'effect:submit:before', 'effect:post:after'],
    until: 'effect:submit:after@hand#1',
  },
  'to an agent whose human scrolls': {
    before: async ({ daemon, hand }) => void (await daemon.tmux('copy-mode', '-t', `=sm-${hand}:`)),
    async run(world, mark) {
      await send(world, `${mark} [[say done ${mark}]]`);
      await world.event(world.hand, 'message-held');
      // Whoever is slow finds that it was left for him.
      await world.daemon.tmux('send-keys', '-X', '-t', `=sm-${world.hand}:`, 'cancel').catch(() => '');
      await told(world);
    },
    hand: (mark) => ({ [`:\n${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:look:before', 'effect:submit:before', 'effect:submit:after'],
    until: 'effect:submit:after@hand#1',
  },
  'a wait for an agent to be idle': {
    async before(world, mark) {
      await world.daemon.call('PATCH', `/sessions/${world.hand}`, { friendly_name: `hand-${mark}` });
      await busy(world, `first ${mark} [[wait go-${mark}]]`);
    },
    async run(world, mark) {
      const { hand, boss } = world;
      const path = `/sessions/${hand}/watch?watcher_session_id=${boss}&timeout_seconds=3600`;
      await world.ask(path, {}, ({ type }) => type === 'watched');
      world.release(`go-${mark}`);
      const { notice } = await world.event(hand, 'notice-posted', { about: 'watch' });
      await world.event(boss, 'message-answered', { message: notice });
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand-${mark}`]: 1, 'is not idle': 0 }),
    passes: ['commit:after', 'effect:post:before', 'effect:post:after'],
  },
  'clear with a prompt, of an idle agent': {
    async run(world, mark) {
      await clear(world, `${mark} [[say done ${mark}]]`);
      await told(world);
    },
    hand: (mark) => ({ [`:\n${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:submit:before', 'effect:submit:after', 'effect:post:after'],
    until: 'effect:look:before@hand#2',
  },
  'clear with a prompt, of a working agent': {
    async before(world, mark) {
      await busy(world, `first ${mark} [[hang]]`);
      await hasWords(world, mark);
    },
    async run(world, mark) {
      await clear(world, `${mark} [[say done ${mark}]]`);
      await told(world);
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1, [`:\n${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:escape:before', 'effect:escape:after', 'effect:submit:before', 'effect:post:after'],
    until: 'effect:submit:after@hand#1',
  },
};

async function clear(world: CrashWorld, prompt: string): Promise<void> {
  await world.ask(
    `/sessions/${world.hand}/clear`,
    { prompt, requester_session_id: world.boss },
    (event) => event.type === 'clear-asked',
  );
  await world.event(world.hand, 'session-cleared');
  const began = (await world.events(world.hand)).filter(({ type }) => type === 'context-began');
  expect(began, 'contexts that one clear began').toHaveLength(1);
}

/** What the agents have, beside what they must have. */
function count(world: CrashWorld, flow: Flow, mark: string) {
  const counted = (session: string, wanted: Record<string, number>) => {
    const taken = world.taken(session);
    return Object.fromEntries(
      Object.keys(wanted).map((text) => [text, taken.filter((prompt) => prompt.includes(text)).length]),
    );
  };
  return {
    hand: counted(world.hand, flow.hand(mark)),
    boss: counted(world.boss, flow.boss(mark)),
  };
}

describe('a message whose daemon is killed', () => {
  it.concurrent.each(Object.entries(flows))(
    '%s: arrives exactly once, and so does the notice, wherever it dies',
    async (_, flow) => {
      const world = await createCrashWorld();
      try {
        const marks: string[] = [];
        const wrong: unknown[] = [];
        const judge = (mark: string, point: string | null) => {
          const found = count(world, flow, mark);
          const wanted = { hand: flow.hand(mark), boss: flow.boss(mark) };
          if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push({ point, mark, found });
        };
        const { passed } = await play(world, flow, 'm0x', null);
        judge('m0x', null);
        expect(passed.map(kindOf)).toEqual(expect.arrayContaining([...flow.passes]));
        const points = pointsOf(flow, passed);
        const diedAt = new Set<string>();
        for (const [i, point] of points.entries()) {
          const mark = `m${i + 1}x`;
          marks.push(mark);
          try {
            const { died } = await play(world, flow, mark, point);
            if (died) diedAt.add(kindOf(point));
          } catch (error) {
            throw new Error(`at ${point}: ${(error as Error).message}\n${await world.screens()}`);
          }
          judge(mark, point);
        }
        // What a later case brings must not be of an earlier one.
        for (const mark of marks) judge(mark, 'at the end');
        expect(wrong).toEqual([]);
        // How often each point is passed is up to the machine: facts that come together are stored together.
        const certain = [...flow.passes, 'commit:before', 'commit:after'];
        for (const kind of new Set(points.map(kindOf)))
          if (certain.includes(kind)) expect(diedAt).toContain(kind);
      } finally {
        await world.daemon.dispose();
      }
    },
    300_000,
  );
});
