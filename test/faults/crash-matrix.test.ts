// The crash matrix: every flow of a message once undisturbed, to learn which points it passes, and then once for each
// of them with `kill -9` there and a restart. Counted at the agents: every message exactly once, every notice once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Flow } from '../support/crash-flow.ts';
import { playMatrix } from '../support/crash-matrix.ts';
import { allow, busy, clear, given, send, thinks, told, toldAbout } from '../support/crash-steps.ts';
import { createCrashWorld } from '../support/crash-world.ts';

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
      await world.event(world.hand, 'turn began');
      await thinks(world, `first ${mark} [[`);
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
      await world.event(world.hand, 'turn began');
    },
    async run(world, mark) {
      await send(world, `${mark} [[say done ${mark}]]`, 'urgent');
      // What came back goes with it, and is worked on again.
      await world.event(world.hand, 'message accepted');
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
      await world.event(world.hand, 'message held');
      // Whoever is slow finds that it was left for him.
      await world.daemon.tmux('send-keys', '-X', '-t', `=sm-${world.hand}:`, 'cancel').catch(() => '');
      await told(world);
    },
    hand: (mark) => ({ [`:\n${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:look:before', 'effect:submit:before', 'effect:submit:after'],
    until: 'effect:submit:after@hand#1',
  },
  'a question, and its answer': {
    async before(world, mark) {
      await send(
        world,
        `first ${mark} [[wait go-${mark}]] [[ask echo ran >> ran-${mark}]] [[say done ${mark}]]`,
      );
      await world.event(world.hand, 'turn began');
    },
    async run(world, mark) {
      world.release(`go-${mark}`);
      await world.event(world.hand, 'question asked');
      await toldAbout(world, 'question');
      await allow(world);
      await told(world);
      expect(readFileSync(join(world.daemon.work, 'hand', `ran-${mark}`), 'utf8'), 'how often it ran').toBe(
        'ran\n',
      );
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1 }),
    boss: (mark) => ({ [`answers:\nBash: echo ran >> ran-${mark}`]: 1, [`hand stopped:\ndone ${mark}`]: 1 }),
    passes: ['effect:answer:before', 'effect:answer:after', 'effect:post:before', 'effect:post:after'],
    until: 'effect:post:before@hand#2',
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
      await world.event(boss, 'message answered', { message: notice });
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand-${mark}`]: 1, 'is not idle': 0 }),
    passes: ['commit:after', 'effect:post:before', 'effect:post:after'],
  },
  'clear with a prompt, of an idle agent': {
    async run(world, mark) {
      await clear(world, `${mark} [[say done ${mark}]]`);
    },
    hand: (mark) => ({ [`:\n${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:submit:before', 'effect:submit:after', 'effect:post:after'],
    until: 'effect:look:before@hand#2',
  },
  'clear with a prompt, of a working agent': {
    async before(world, mark) {
      await busy(world, `first ${mark} [[hang]]`);
      await thinks(world, `first ${mark} [[`);
    },
    async run(world, mark) {
      await clear(world, `${mark} [[say done ${mark}]]`);
    },
    hand: (mark) => ({ [`first ${mark} [[`]: 1, [`:\n${mark} [[`]: 1 }),
    boss: (mark) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 }),
    passes: ['effect:escape:before', 'effect:escape:after', 'effect:submit:before', 'effect:post:after'],
    until: 'effect:submit:after@hand#1',
  },
};

describe('a message whose daemon is killed', () => {
  it.concurrent.each(Object.entries(flows))(
    '%s: arrives exactly once, and so does the notice, wherever it dies',
    async (_, flow) => {
      const world = await createCrashWorld();
      try {
        await playMatrix(world, flow);
      } finally {
        await world.daemon.dispose();
      }
    },
    900_000,
  );
});
