// The crash matrix of reminders and compactions: `kill -9` at every point that each of them passes, and a restart.
// Counted at the agent: each reminder exactly once, and none when its reason is gone.

import { describe, expect, it } from 'vitest';
import { certainKinds, type Flow, kindOf, play, pointsOf } from '../support/crash-flow.ts';
import { told } from '../support/crash-steps.ts';
import { type CrashWorld, createCrashWorld } from '../support/crash-world.ts';
import { is } from '../support/talk.ts';
import { until as untilSeen } from '../support/until.ts';

const soft = '[sm remind] Update your status:';
const hard = '[sm remind] Status overdue.';
const compaction = '[sm context] Compaction fired for hand. Context was lost.';

/** A tool that runs until it is released; and small steps, so that what comes is taken up between them. */
const until = (go: string) => `[[bash while [ ! -e ${go} ] && kill -0 $PPID; do sleep 0.02; done]]`;
const steps = '[[bashes 400 sleep 0.5]]';

const ofBoss = ({ boss }: CrashWorld, from: unknown) => (from as { id?: string } | undefined)?.id === boss;

function work(world: CrashWorld, text: string, thresholds: readonly [number, number]): Promise<void> {
  const [remind_soft_threshold, remind_hard_threshold] = thresholds;
  return world.ask(
    `/sessions/${world.hand}/input`,
    { text, sender_session_id: world.boss, remind_soft_threshold, remind_hard_threshold },
    ({ state, from }) => state === 'queued' && ofBoss(world, from),
  );
}

async function softTaken(world: CrashWorld): Promise<void> {
  const { message } = await world.event(world.hand, 'reminder sent', { kind: 'soft' });
  await world.event(world.hand, 'message accepted', { message });
}

const flows: Record<string, Flow> = {
  'soft, from the acceptance of its message to its own': {
    async run(world, mark) {
      await work(world, `first ${mark} ${until(`go-${mark}`)} [[say done ${mark}]]`, [1, 600]);
      await softTaken(world);
      world.release(`go-${mark}`);
      await told(world);
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1, [soft]: 1, [hard]: 0 }),
    boss: (mark) => ({ [`done ${mark}`]: 1 }),
    passes: ['effect:look:before', 'effect:submit:before', 'effect:submit:after', 'commit:after'],
    until: 'effect:post:before@hand#1',
  },
  'hard, that interrupts': {
    async before(world, mark) {
      await work(world, `first ${mark} ${steps}`, [2, 5]);
      await softTaken(world);
    },
    run: told,
    hand: (mark) => ({ [`first ${mark} [[`]: 1, [hard]: 1 }),
    boss: () => ({ 'hand stopped:\nECHO': 1 }),
    passes: ['effect:look:before', 'effect:escape:before', 'effect:escape:after', 'effect:submit:after'],
    until: 'effect:post:before@hand#1',
  },
  'whose window a status starts afresh': {
    before: (world, mark) =>
      work(world, `first ${mark} ${until(`go-${mark}`)} [[say done ${mark}]]`, [3, 600]),
    async run(world, mark) {
      await world.ask(
        `/sessions/${world.hand}/agent-status`,
        { text: `at it ${mark}` },
        ({ type }) => type === 'status-reported',
      );
      world.release(`go-${mark}`);
      await told(world);
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1, [soft]: 0, [hard]: 0 }),
    boss: (mark) => ({ [`done ${mark}`]: 1 }),
    passes: ['commit:before', 'commit:after'],
    until: 'effect:post:before@hand#1',
  },
  'one-shot': {
    async run(world, mark) {
      await world.ask(
        '/scheduler/remind',
        {
          session_id: world.hand,
          delay_seconds: 1,
          message: `look ${mark}`,
          requester_session_id: world.boss,
        },
        is('one-shot set'),
      );
      const { message } = await world.event(world.hand, 'one-shot sent');
      await world.event(world.hand, 'message answered', { message });
    },
    hand: (mark) => ({ [`look ${mark}`]: 1 }),
    boss: () => ({}),
    passes: ['effect:look:before', 'effect:submit:before', 'effect:submit:after'],
  },
  'held back by a compaction, with an urgent message': {
    async run(world, mark) {
      await typeByHand(world, `/compact [[wait go-${mark}]]`);
      await world.event(world.hand, 'compaction began');
      await world.ask(
        '/scheduler/remind',
        { session_id: world.hand, delay_seconds: 1, message: `look ${mark}` },
        is('one-shot set'),
      );
      await world.ask(
        `/sessions/${world.hand}/input`,
        { text: `${mark} [[say done ${mark}]]`, sender_session_id: world.boss, delivery_mode: 'urgent' },
        ({ state, from }) => state === 'queued' && ofBoss(world, from),
      );
      const queued = await world.event(world.hand, 'message queued', { mode: 'urgent' });
      world.release(`go-${mark}`);
      await world.event(world.hand, 'message answered', { message: queued.message });
      const { message } = await world.event(world.hand, 'one-shot sent');
      await world.event(world.hand, 'message answered', { message });
      const { notice } = await world.event(world.hand, 'notice-posted', { about: 'compaction' });
      await world.event(world.boss, 'message answered', { message: notice });
    },
    hand: (mark) => ({ [`:\n${mark} [[`]: 1, [`look ${mark}`]: 1 }),
    boss: () => ({ [compaction]: 1 }),
    passes: ['effect:post:before', 'effect:post:after', 'effect:submit:after'],
    until: 'effect:submit:after@hand#1',
  },
};

/** What a human does at the terminal needs no daemon. He looks before he types, and before he presses Enter. */
async function typeByHand({ daemon, hand }: CrashWorld, text: string): Promise<void> {
  const pane = ['-t', `=sm-${hand}:`];
  const shows = (what: string) =>
    untilSeen(`${what} on the screen`, async () =>
      (await daemon.tmux('capture-pane', '-p', ...pane)).includes(what),
    );
  await shows('❯');
  await daemon.tmux('set-buffer', '-b', 'typed', text);
  await daemon.tmux('paste-buffer', '-p', '-d', '-b', 'typed', ...pane);
  await shows(text);
  await daemon.tmux('send-keys', ...pane, 'Enter');
}

/** The reminders of all cases read alike, so that what counts is what an agent took since its case began. */
function counter(world: CrashWorld) {
  const had = { hand: world.taken(world.hand).length, boss: world.taken(world.boss).length };
  const counted = (agent: 'hand' | 'boss', wanted: Record<string, number>) => {
    const taken = world.taken(world[agent]).slice(had[agent]);
    return Object.fromEntries(
      Object.keys(wanted).map((text) => [text, taken.filter((prompt) => prompt.includes(text)).length]),
    );
  };
  return (flow: Flow, mark: string) => ({
    hand: counted('hand', flow.hand(mark)),
    boss: counted('boss', flow.boss(mark)),
  });
}

describe('a reminder whose daemon is killed', () => {
  it.concurrent.each(Object.entries(flows))(
    '%s: comes exactly once, wherever it dies',
    async (_, flow) => {
      const world = await createCrashWorld();
      try {
        const wrong: unknown[] = [];
        const judged = async (mark: string, point: string | null) => {
          await world.begin(null);
          const count = counter(world);
          try {
            const played = await play(world, flow, mark, point);
            const found = count(flow, mark);
            const wanted = { hand: flow.hand(mark), boss: flow.boss(mark) };
            if (JSON.stringify(found) !== JSON.stringify(wanted)) wrong.push({ point, mark, found });
            expect((await world.surely(() => world.daemon.session(world.hand))).reminder).toBeNull();
            return played;
          } catch (error) {
            throw new Error(`at ${point}: ${(error as Error).message}\n${await world.screens()}`);
          }
        };
        const { passed } = await judged('m0x', null);
        expect(passed.map(kindOf)).toEqual(expect.arrayContaining([...flow.passes]));
        const points = pointsOf(flow, passed);
        const diedAt = new Set<string>();
        for (const [i, point] of points.entries())
          if ((await judged(`m${i + 1}x`, point)).died) diedAt.add(kindOf(point));
        expect(wrong).toEqual([]);
        for (const kind of certainKinds(points))
          if (flow.passes.includes(kind)) expect(diedAt).toContain(kind);
      } finally {
        await world.daemon.dispose();
      }
    },
    900_000,
  );
});
