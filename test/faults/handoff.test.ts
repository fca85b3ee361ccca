// The crash matrix of a handoff: `kill -9` at every point that it passes, with messages waiting and a notice owed.
// Counted at the agents: one clear, one prompt, every message once, one notice.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { certainKinds, type Flow, kindOf, play, pointsOf } from '../support/crash-flow.ts';
import { type CrashWorld, createCrashWorld } from '../support/crash-world.ts';
import { is } from '../support/talk.ts';

/** What waits, by the case that it is of. */
const waiting = new Map<string, unknown>();

/** The agent is at work for the boss, has called for a handoff, and something waits. `then`: what the new context does. */
async function scheduled(world: CrashWorld, mark: string, then: string): Promise<void> {
  const { daemon, boss, hand } = world;
  writeFileSync(join(daemon.work, 'hand', `${mark} ${then}.md`), 'Go on.');
  const input = `/sessions/${hand}/input`;
  const text = `first ${mark} [[bash sm handoff ${mark}*]] [[wait go-${mark}]] [[say bye]]`;
  await daemon.call('POST', input, { text, sender_session_id: boss });
  await world.event(hand, 'handoff scheduled');
  const { body } = await daemon.call('POST', input, { text: `waits ${mark} [[say done ${mark}]]` });
  waiting.set(world.hand + mark, body.message_id);
}

/** Something urgent comes when the turn is over: while the context rotates, or when the new one has just begun. */
async function urgently(world: CrashWorld, mark: string): Promise<void> {
  await world.event(world.hand, 'turn ended', { last_words: 'bye' });
  await world.ask(
    `/sessions/${world.hand}/input`,
    { text: `now ${mark} [[say done ${mark}]]`, delivery_mode: 'urgent' },
    is('message queued', { mode: 'urgent' }),
  );
}

async function allDone(world: CrashWorld, mark: string): Promise<void> {
  const urgent = await world.event(world.hand, 'message queued', { mode: 'urgent' });
  for (const message of [urgent.message, waiting.get(world.hand + mark)])
    await world.event(world.hand, 'message answered', { message });
  const { notice } = await world.event(world.hand, 'notice-posted', { about: 'turn-end' });
  await world.event(world.boss, 'message answered', { message: notice });
  await world.event(world.hand, 'handoff done');
}

const counts = {
  hand: (mark: string) => ({
    [`first ${mark} [[`]: 1,
    [`${mark} [[`]: 4,
    [`/${mark} [[`]: 1,
    'and continue from where you left off.': 1,
    [`waits ${mark} [[`]: 1,
    [`now ${mark} [[`]: 1,
    '[sm handoff]': 0,
  }),
};

/** What the sender of the work that was handed over hears: of its own answer, or of what cut it off in the new context. */
const told = {
  answered: (mark: string) => ({ [`hand stopped:\ndone ${mark}`]: 1, '[sm] hand': 1, '[sm handoff]': 0 }),
  cutOff: (mark: string) => ({
    [`Its next turn ended with:\ndone ${mark}`]: 1,
    '[sm] hand': 1,
    '[sm handoff]': 0,
  }),
};

const flow = (then: (mark: string) => string, boss: Flow['boss']): Flow => ({
  before: (world, mark) => scheduled(world, mark, then(mark)),
  async run(world, mark) {
    world.release(`go-${mark}`);
    await urgently(world, mark);
    await allDone(world, mark);
  },
  ...counts,
  boss,
  passes: [
    'effect:check-document:before',
    'effect:check-document:after',
    'effect:look:before',
    'effect:look:after',
    'effect:submit:before',
    'effect:submit:after',
    'effect:publish-document:before',
    'effect:publish-document:after',
    'commit:before',
    'commit:after',
  ],
  until: 'effect:post:before@hand#1',
});

const flows: Record<string, Flow> = {
  'whose new context answers at once': flow((mark) => `[[say done ${mark}]]`, told.answered),
  'whose new context is interrupted by what waits': flow(() => '[[bash true]] [[hang]]', told.cutOff),
};

/** What the agents have taken since, and how often the context was cleared. */
function counter(world: CrashWorld) {
  const had = { hand: world.taken(world.hand), boss: world.taken(world.boss) };
  const conversations = world.conversations(world.hand);
  const counted = (agent: 'hand' | 'boss', wanted: Record<string, number>) => {
    const taken = world.taken(world[agent]);
    const before = had[agent];
    const times = (texts: readonly string[], part: string) => texts.join('\n').split(part).length - 1;
    return Object.fromEntries(
      Object.keys(wanted).map((part) => [part, times(taken, part) - times(before, part)]),
    );
  };
  return (wanted: Pick<Flow, 'hand' | 'boss'>, mark: string) => ({
    clears: world.conversations(world.hand) - conversations,
    hand: counted('hand', wanted.hand(mark)),
    boss: counted('boss', wanted.boss(mark)),
  });
}

const right = ({ hand, boss }: Flow, mark: string) => ({ clears: 1, hand: hand(mark), boss: boss(mark) });

/** The agent's conversations are known by the first prompt that each of them has. */
async function createRotatingWorld(): Promise<CrashWorld> {
  const world = await createCrashWorld();
  for (const session of [world.boss, world.hand]) {
    await world.begin(null);
    await world.daemon.call('POST', `/sessions/${session}/input`, { text: 'hello' });
    await world.event(session, 'message answered');
  }
  await world.end();
  await world.begin(null);
  return world;
}

describe('a handoff whose daemon is killed', () => {
  it.concurrent.each(Object.entries(flows))(
    '%s: one clear, one prompt, every message once, one notice, wherever it dies',
    async (_, each) => {
      const world = await createRotatingWorld();
      try {
        const wrong: unknown[] = [];
        const judged = async (mark: string, point: string | null) => {
          const count = counter(world);
          try {
            const played = await play(world, each, mark, point);
            const found = count(each, mark);
            if (JSON.stringify(found) !== JSON.stringify(right(each, mark)))
              wrong.push({ point, mark, found });
            return played;
          } catch (error) {
            throw new Error(`at ${point}: ${(error as Error).message}\n${await world.screens()}`);
          }
        };
        const { passed } = await judged('m0x', null);
        expect(passed.map(kindOf)).toEqual(expect.arrayContaining([...each.passes]));
        const points = pointsOf(each, passed);
        const diedAt = new Set<string>();
        for (const [i, point] of points.entries())
          if ((await judged(`m${i + 1}x`, point)).died) diedAt.add(kindOf(point));
        expect(wrong).toEqual([]);
        for (const kind of certainKinds(points))
          if (each.passes.includes(kind)) expect(diedAt).toContain(kind);
      } finally {
        await world.daemon.dispose();
      }
    },
    900_000,
  );
});

describe('a handoff whose daemon is away', () => {
  /** Waits until the agent's hooks have left this in the spool. */
  async function spooled({ daemon, hand }: CrashWorld, what: RegExp): Promise<void> {
    const folder = join(daemon.home, 'spool', hand);
    for (const deadline = Date.now() + 60_000; Date.now() < deadline; ) {
      const facts = existsSync(folder) ? readdirSync(folder) : [];
      if (facts.some((name) => what.test(readIfThere(join(folder, name))))) return;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    throw new Error(`no ${what} came into the spool`);
  }

  const readIfThere = (path: string) => {
    try {
      return readFileSync(path, 'utf8');
    } catch {
      return '';
    }
  };

  const hears = (event: string) => new RegExp(`"hook_event_name": ?"${event}"`);

  it.each([
    ['when its turn ends', null, hears('Stop')],
    ['when the context is cleared', 'effect:submit:after@hand#1', hears('SessionStart')],
    ['when the new context begins', 'effect:submit:after@hand#2', hears('UserPromptSubmit')],
    ['until the first turn of the new context is over', 'effect:submit:after@hand#2', hears('Stop')],
  ] as const)('%s: it hears of it from the spool, and all comes once', async (_, point, last) => {
    const world = await createRotatingWorld();
    try {
      const mark = 'm1x';
      const count = counter(world);
      await scheduled(world, mark, `[[say done ${mark}]]`);
      await world.begin(point);
      if (point === null) await world.daemon.crash();
      world.release(`go-${mark}`);
      await world.daemon.death();
      await spooled(world, last);
      await world.begin(null).catch(() => undefined);
      await world.daemon.start();
      await urgently(world, mark);
      await allDone(world, mark);
      await world.end();
      const wanted = flows['whose new context answers at once'] as Flow;
      expect(count(wanted, mark)).toEqual(right(wanted, mark));
    } finally {
      await world.daemon.dispose();
    }
  });
});
