// The crash matrix on a real agent: the daemon dies at every point that a flow passes. What the agent has is counted
// where it cannot be mistaken: in what its model is asked.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import type { Capabilities } from '../../src/ports/provider.ts';
import { cardOf } from '../../src/providers/cards.ts';
import type { ModelServer } from '../model/server.ts';
import type { Flow } from '../support/crash-flow.ts';
import { playMatrix } from '../support/crash-matrix.ts';
import { busy, clear, given, send, thinks, told, toolRuns, toolUntil } from '../support/crash-steps.ts';
import { createCrashWorld, type Hand } from '../support/crash-world.ts';

export interface CrashedAgent {
  readonly name: string;
  readonly config: object;
  /** Of one whose kind only the configuration knows. */
  readonly midTurn?: Capabilities['midTurn'];
  model(): Promise<ModelServer>;
  /** A private home in this folder. */
  home(root: string, modelUrl: string): { env: Record<string, string>; cwd: string };
}

async function prepare(agent: CrashedAgent): Promise<Hand & { dispose(): Promise<void> }> {
  const root = mkdtempSync(join(tmpdir(), `sm-${agent.name}-crash-`));
  const model = await agent.model();
  const { env, cwd } = agent.home(root, model.url);
  return {
    provider: agent.name,
    config: agent.config,
    env,
    workingDir: cwd,
    taken: () => takenBy(model),
    async dispose() {
      await model.close();
      rmSync(root, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** What the newest request of each conversation has of the human. */
function takenBy(model: ModelServer): string[] {
  const requests = model.requests().filter(({ isSideQuery }) => !isSideQuery);
  const newest = new Map(requests.map(({ conversation, human }) => [conversation, human]));
  return [...newest.values()].flat();
}

const onceTold = (mark: string) => ({ [`hand stopped:\ndone ${mark}`]: 1, [mark]: 1 });

const flows: Record<string, Flow> = {
  'to an idle agent': {
    async run(world, mark) {
      await send(world, `${mark} [[say done ${mark}]]`);
      await told(world);
    },
    hand: (mark) => ({ [`:\n${mark} [[`]: 1 }),
    boss: onceTold,
    passes: ['effect:look:before', 'effect:submit:before', 'effect:submit:after', 'effect:post:after'],
  },
  'important, to an agent in a tool': {
    async before(world, mark) {
      await busy(world, `first ${mark} ${toolUntil(`go-${mark}`)}`);
      await toolRuns(world, `go-${mark}`);
    },
    async run(world, mark) {
      await send(world, `by the way ${mark} [[say done ${mark}]]`, 'important');
      await given(world);
      world.release(`go-${mark}`);
      await told(world);
    },
    hand: (mark) => ({ [`:\nfirst ${mark} [[`]: 1, [`:\nby the way ${mark} [[`]: 1 }),
    boss: onceTold,
    passes: ['effect:look:before', 'effect:submit:before', 'effect:submit:after', 'effect:post:after'],
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
    hand: (mark) => ({ [`:\nfirst ${mark} [[`]: 1, [`:\n${mark} [[`]: 1 }),
    boss: onceTold,
    passes: ['effect:escape:before', 'effect:escape:after', 'effect:submit:before', 'effect:post:after'],
    until: 'effect:post:before@hand#1',
  },
  'clear with a prompt': {
    async run(world, mark) {
      await clear(world, `${mark} [[say done ${mark}]]`);
    },
    hand: (mark) => ({ [`:\n${mark} [[`]: 1 }),
    boss: onceTold,
    passes: ['effect:submit:before', 'effect:submit:after', 'effect:post:after'],
    until: 'effect:post:before@hand#1',
  },
};

/** What is given to an agent in the middle of a turn is not given to one that takes nothing there. */
function flowsOf({ name, midTurn = cardOf(name)?.capabilities.midTurn }: CrashedAgent): [string, Flow][] {
  return Object.entries(flows).filter(([flow]) => !flow.startsWith('important') || midTurn !== 'never');
}

const whole = process.env.SM_TEST_WHOLE_MATRIX === '1';

/** Where a text may be lost or doubled most easily: as it is typed, and before that is known. */
function aroundTyping(points: readonly string[]): string[] {
  const typed = points.indexOf('effect:submit:after@hand#1');
  const known = points.find((point, at) => at > typed && point.startsWith('commit:before@hand'));
  return ['effect:submit:before@hand#1', 'effect:submit:after@hand#1', ...(known ? [known] : [])];
}

/** `always`: a part of it is played also where nobody asked for the whole. */
export function crashSuite(agent: CrashedAgent, { always }: { always: boolean }): void {
  describe.skipIf(!whole && !always)(`a message to ${agent.name} whose daemon is killed`, () => {
    it.each(flowsOf(agent))(
      '%s: arrives exactly once, and so does the notice, wherever it dies',
      async (name, flow) => {
        const hand = await prepare(agent);
        try {
          const world = await createCrashWorld(hand);
          try {
            const figures = await playMatrix(world, flow, whole ? undefined : aroundTyping);
            if (whole) console.log(`${agent.name}, ${name}: ${JSON.stringify(figures)}`);
          } finally {
            await world.daemon.dispose();
          }
        } finally {
          await hand.dispose();
        }
      },
      whole ? 1_800_000 : 120_000,
    );
  });
}
