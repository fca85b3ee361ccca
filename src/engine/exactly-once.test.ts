// Nothing lost, nothing twice: random lives of an agent, its human and our daemon, counted at the agent.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageIdsIn } from '../domain/message.ts';
import { isAlive, phaseOf } from '../domain/session.ts';
import { sent as aMessage, restoreIt } from '../domain/test-session.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { type Lane, openLane } from './test-lane.ts';
import { createWorld, type Fault, type World } from './test-world.ts';

interface Life {
  readonly lane: Lane;
  readonly world: World;
}

/** Everything that was said comes in, in the order in which it was said. */
async function drain({ lane, world }: Life): Promise<void> {
  for (const fact of world.unheard.splice(0)) await lane.take(fact);
}

/** Runs the oldest effect as the daemon does: what was said before a look is known before the look is judged. */
async function runEffect(life: Life, fault: Fault, meanwhile: () => void = () => {}): Promise<void> {
  const { lane, world } = life;
  const [owed] = lane.owed;
  if (!owed) return;
  const { effect } = owed;
  switch (effect.do) {
    case 'look': {
      const look = world.look();
      meanwhile();
      await drain(life);
      return lane.result(owed.id, { of: 'look', look });
    }
    case 'submit':
      return lane.result(owed.id, submit(life, effect, fault));
    case 'launch':
      return lane.result(owed.id, world.launch(effect));
    case 'post':
      return lane.result(owed.id, { of: 'post', outcome: 'posted' });
    case 'escape':
      throw new Error('nothing urgent was sent');
    case 'press':
      throw new Error('nobody asked for a key');
    case 'check-document':
      return lane.result(owed.id, { of: 'check-document', outcome: 'bad', why: 'nobody wrote one' });
    case 'answer':
      return lane.result(owed.id, { of: 'answer', outcome: 'nobody' });
    default:
      return lane.result(owed.id, { of: effect.do });
  }
}

/** A human's words must never go out by our Enter. */
function submit({ lane, world }: Life, effect: Parameters<World['submit']>[0], fault: Fault) {
  const before = world.prompts.length;
  const outcome = world.submit(effect, fault);
  const sent = world.prompts[before];
  const ours = effect.text ?? lane.state.session.attempt?.text;
  if (sent !== undefined && sent !== ours) throw new Error(`we submitted ${JSON.stringify(sent)}`);
  return outcome;
}

type Step = (life: Life) => Promise<unknown> | unknown;

/** The steps of a life, by name, so that a failing one can be read. */
const steps: Record<string, Step> = {
  'an effect runs': (life) => runEffect(life, 'none'),
  'an effect runs, and again': async (life) => {
    await runEffect(life, 'none');
    await runEffect(life, 'none');
  },
  'an effect runs, and what was typed is swallowed': (life) => runEffect(life, 'swallowed'),
  'an effect runs, and its Enter is lost': (life) => runEffect(life, 'enter lost'),
  'the human types during the look': (life) => runEffect(life, 'none', () => typeDraft(life.world)),
  'a turn ends during the look': (life) => runEffect(life, 'none', () => life.world.finish()),
  'a message is sent': ({ lane }) => send(lane),
  'the oldest fact is heard': ({ lane, world }) => hear(lane, world, 0),
  'the newest fact is heard': ({ lane, world }) => hear(lane, world, world.unheard.length - 1),
  'a fact is heard twice': async ({ lane, world }) => {
    const [fact] = world.unheard;
    if (fact) await lane.take(fact);
  },
  'all facts are heard': drain,
  'the human types': ({ world }) => typeDraft(world),
  'the human deletes what stands there': ({ world }) => {
    world.composer = '';
  },
  'the human presses Enter': ({ world }) => world.enter(),
  'the human presses Escape': ({ world }) => world.escape(true),
  'the human presses Escape and nothing tells it': ({ world }) => world.escape(false),
  'the human scrolls': ({ world }) => {
    world.scrolled = world.alive && !world.scrolled;
  },
  'the agent uses a tool': ({ world }) => world.useTool(),
  'the agent asks': ({ world }) => world.askPermission(),
  'the agent is answered': ({ world }) => world.answerPermission(),
  'the agent finishes': ({ world }) => world.finish(),
  'the agent dies': ({ world }) => world.die(),
  'the session is restored': restore,
  'the daemon crashes': (life) => crash(life, false),
  'the daemon crashes after the keys went out': (life) => crash(life, true),
  'a moment passes': ({ lane }) => lane.wait(200),
  'two seconds pass': ({ lane }) => lane.wait(2_000),
  'a minute passes': ({ lane }) => lane.wait(60_000),
};

const often = [
  'an effect runs',
  'an effect runs, and again',
  'a message is sent',
  'all facts are heard',
  'two seconds pass',
];

let sent = 0;
function send(lane: Lane): Promise<unknown> {
  sent += 1;
  const id = sent.toString(16).padStart(8, '0');
  return lane.take(aMessage({ id }));
}

async function hear(lane: Lane, world: World, index: number): Promise<void> {
  const [fact] = world.unheard.splice(Math.max(index, 0), 1);
  if (fact) await lane.take(fact);
}

function typeDraft(world: World): void {
  if (world.alive && !world.dialog && !world.scrolled) world.composer += 'x';
}

async function restore(life: Life): Promise<void> {
  if (life.world.alive || isAlive(life.lane.state.session)) return;
  await drain(life);
  await life.lane.take(restoreIt);
}

/** Keys whose result was not stored may have gone out or not; the next start only knows that they were owed. */
async function crash(life: Life, keysWentOut: boolean): Promise<void> {
  const [owed] = life.lane.owed;
  if (keysWentOut && owed?.effect.do === 'submit') submit(life, owed.effect, 'none');
  await life.lane.crash();
  if (owed?.effect.do === 'submit') await life.lane.result(owed.id, { of: 'submit', outcome: 'unknown' });
}

const countOf = (world: World, id: string): number =>
  world.prompts.filter((prompt) => messageIdsIn(prompt).includes(id)).length;

/** From here on everybody behaves: whatever is open must come to its end. */
async function comeToRest(life: Life): Promise<void> {
  const { lane, world } = life;
  for (let round = 0; round < 200; round += 1) {
    await drain(life);
    await restore(life);
    world.scrolled = false;
    world.answerPermission();
    world.finish();
    if (world.composer !== lane.state.session.attempt?.text) world.composer = '';
    for (let i = 0; i < 5; i += 1) await runEffect(life, 'none');
    await lane.wait(2_000);
    const { session, queue, active } = lane.state;
    const open = queue.sequential.size + active.size + lane.owed.length + world.unheard.length;
    if (open === 0 && phaseOf(session) === 'idle' && !world.turn) return;
  }
  throw new Error(`it does not come to rest: ${JSON.stringify(lane.state.session)}`);
}

const stepName = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...often) },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(steps)) },
);

describe('every message', () => {
  it('is taken by the agent exactly once, whatever happens on the way', async () => {
    const seen = { answered: 0, failed: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(stepName, { maxLength: 60, size: 'max' }), async (names) => {
        const store = openSqliteStore(':memory:');
        try {
          const lane = await openLane(store);
          const life = { lane, world: createWorld(() => lane.now) };
          const counted = () => [...lane.messages.keys()].map((id) => [id, countOf(life.world, id)] as const);
          for (const name of names) {
            await steps[name]?.(life);
            for (const [id, count] of counted())
              if (count > 1) throw new Error(`${id} was taken ${count} times`);
          }
          await comeToRest(life);
          for (const [id, count] of counted()) {
            const failed = lane.messages.get(id)?.state.is === 'failed';
            seen[failed ? 'failed' : 'answered'] += 1;
            if (failed) expect(count, id).toBeLessThanOrEqual(1);
            else expect(count, id).toBe(1);
          }
        } finally {
          await store.close();
        }
      }),
      { numRuns: 700 },
    );
    expect(seen.answered).toBeGreaterThan(700);
    expect(seen.failed).toBeLessThan(seen.answered / 20);
  });
});
