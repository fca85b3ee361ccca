// Random histories of one session: facts in any order, doubled and foreign; commands; results of effects in plausible
// and odd orders; time; crashes; full disks. No agent behaves like this, and still no rule may break.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Lane, openLane } from '../../test/support/lane.ts';
import { aloneWith, factOf, launched, restoreIt, screens, sent } from '../../test/support/session.ts';
import type { EffectResult } from '../domain/core/effect.ts';
import type { Fact } from '../domain/core/fact.ts';
import type { Input } from '../domain/core/input.ts';
import { type Actor, person } from '../domain/core/names.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';

const messageIds = ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd'];
const header = (id: string) => `[sm] from the user #${id}:\ntext`;

const parent: Actor = { kind: 'session', id: 'boss' };

const conversation = fc.constantFrom('c1', 'c1', 'c1', 'c1', 'c2', 'nested');
const turnId = fc.constantFrom('p1', 'p2', 'p3', 'p4', null);
const subject = fc.constantFrom('ls', 'rm', null);
const percentage = fc.constantFrom(null, 10, 50, 90);
const prompt = fc.subarray(messageIds).map((ids) => ids.map(header).join('\n\n'));

const told: fc.Arbitrary<Fact> = fc.oneof(
  fc
    .record({ providerId: conversation, source: fc.constantFrom('startup', 'resume', 'clear', 'compact') })
    .map((each) => factOf({ is: 'agent-started', ...(each as { providerId: string; source: 'clear' }) })),
  conversation.map((providerId) => factOf({ is: 'context-ended', providerId })),
  fc
    .record({ providerId: conversation, turnId, text: prompt })
    .map((each) => factOf({ is: 'prompt-submitted', ...each })),
  fc
    .record({ providerId: conversation, turnId })
    .map((each) => factOf({ is: 'prompt-submitted', messages: ['bbbbbbbb'], ...each })),
  fc.record({ providerId: conversation, turnId, subject }).map((each) => factOf({ is: 'activity', ...each })),
  fc
    .record({ providerId: conversation, turnId, text: fc.constantFrom(...messageIds.map(header), 'human') })
    .map((each) => factOf({ is: 'prompt-absorbed', ...each })),
  fc.record({ providerId: conversation, turnId }).map((each) => factOf({ is: 'turn-ended', ...each })),
  fc
    .record({ providerId: conversation, turnId: turnId.filter((id) => id !== null) })
    .map((each) => factOf({ is: 'turn-closing', lastWords: 'done', ...each })),
  fc
    .record({ providerId: conversation, turnId })
    .map((each) => factOf({ is: 'turn-ended', end: 'failed', ...each })),
  fc
    .record({ providerId: conversation, turnId })
    .map((each) => factOf({ is: 'turn-ended', end: 'interrupted', ...each })),
  fc
    .record({ providerId: conversation, turnId, subject })
    .map((each) => factOf({ is: 'permission-asked', ...each })),
  conversation.map((providerId) => factOf({ is: 'compaction-began', providerId })),
  conversation.map((providerId) => factOf({ is: 'compaction-ended', providerId })),
  fc.record({ providerId: conversation, percentage }).map(({ providerId, percentage }) =>
    factOf({
      is: 'usage',
      providerId,
      usage: { percentage, tokens: 1, windowSize: 2, model: null, costUsd: null },
    }),
  ),
);

const fact = fc.oneof(
  { weight: 20, arbitrary: told },
  {
    weight: 1,
    arbitrary: fc.constantFrom(factOf({ is: 'process-exited', code: 1 }), factOf({ is: 'process-gone' })),
  },
);

const look = fc.constantFrom(
  screens.composer(),
  screens.composer(),
  screens.composer('', 'working'),
  screens.composer('', 'unclear'),
  screens.composer('a draft'),
  screens.composer(header('aaaaaaaa')),
  screens.composer(`${header('aaaaaaaa')}\ntext of aaaaaaaa`),
  screens.dialog('May I?'),
  screens.unknown(),
  screens.scrolled(),
  { says: 'activity', activity: 'idle' } as const,
  { says: 'activity', activity: 'working' } as const,
  { says: 'nothing', why: 'no answer' } as const,
  null,
);

const result: fc.Arbitrary<EffectResult> = fc.oneof(
  fc.constant(launched),
  fc.constant<EffectResult>({ of: 'launch', outcome: 'failed', why: 'no reason' }),
  fc.constant<EffectResult>({ of: 'kill' }),
  fc.constant<EffectResult>({ of: 'kill', failed: 'no answer' }),
  fc.constant<EffectResult>({ of: 'bury' }),
  fc.constantFrom<EffectResult>(
    { of: 'check-document', outcome: 'kept', copy: '/copy.md' },
    { of: 'check-document', outcome: 'kept', copy: '/copy.md' },
    { of: 'check-document', outcome: 'bad', why: 'it is gone' },
  ),
  fc.constant<EffectResult>({ of: 'publish-document' }),
  fc.constant<EffectResult>({ of: 'post', outcome: 'posted' }),
  fc.constantFrom('taken', 'nobody', 'unknown').map((outcome): EffectResult => ({ of: 'answer', outcome })),
  look.map((each): EffectResult => ({ of: 'look', look: each })),
  fc.constant<EffectResult>({ of: 'post', outcome: 'posted' }),
  fc.constant<EffectResult>({ of: 'pass-on' }),
  fc.constant<EffectResult>({ of: 'leave-copy-mode' }),
  fc
    .record({
      of: fc.constantFrom('submit', 'escape'),
      outcome: fc.constantFrom('typed', 'changed', 'gone', 'unknown'),
    })
    .map((typed): EffectResult => typed),
);

const strayResult = result.filter(
  ({ of }) => of === 'look' || of === 'submit' || of === 'escape' || of === 'bury',
);

type Step = (lane: Lane) => Promise<unknown> | undefined;
const named = <T>(
  arb: fc.Arbitrary<T>,
  name: string,
  run: (value: T, lane: Lane) => Promise<unknown> | undefined,
) =>
  arb.map((value) =>
    Object.assign(((lane) => run(value, lane)) as Step, {
      toString: () => `${name} ${JSON.stringify(value)}`,
    }),
  );

const command: fc.Arbitrary<Input> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .record({
        id: fc.constantFrom(...messageIds),
        mode: fc.constantFrom('sequential', 'important', 'urgent'),
      })
      .map(({ id, mode }): Input => sent({ id, mode: mode as 'urgent' })),
  },
  {
    weight: 3,
    arbitrary: fc.constantFrom<Input>(
      { type: 'remind', by: person, soft: 1, hard: 2 },
      { type: 'remind', by: person, soft: 10, hard: 60 },
      { type: 'remind', by: person, soft: 10, hard: 5 },
      { type: 'stop-reminding', by: person },
      { type: 'handoff', by: { kind: 'session', id: 's1' }, path: '/doc.md', auto: false },
      { type: 'handoff', by: { kind: 'session', id: 's1' }, path: '/other.md', auto: false },
      { type: 'handoff', by: { kind: 'session', id: 's1' }, path: '/auto.md', auto: true },
      { type: 'monitor-context', enabled: false, notify: null, by: person },
      { type: 'report', by: person, text: 'on my way' },
      { type: 'slash', id: 'c1', command: '/model opus', by: person },
      { type: 'slash', id: 'c2', command: '/compact', by: person },
      { type: 'remind-once', id: 'r1', from: { kind: 'person' }, seconds: 5, every: null, text: 'look' },
      { type: 'remind-once', id: 'r2', from: { kind: 'person' }, seconds: 5, every: 10, text: 'again' },
      { type: 'cancel-reminder', by: person, id: 'r2' },
      sent({ id: 'dddddddd', mode: 'important', remind: { soft: 5, hard: 20 } }),
      sent({ id: 'bbbbbbbb', review: { of: 'uncommitted' } }),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Input>({ type: 'kill', by: person }) },
  { weight: 3, arbitrary: fc.constant<Input>({ type: 'interrupt', by: person }) },
  { weight: 2, arbitrary: fc.constantFrom<Input>(restoreIt, { ...restoreIt, oldProcess: 'alive' } as Input) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Input>(
      { type: 'rename', by: person, name: 'lead' },
      { type: 'rename', by: person, name: '' },
      { type: 'set-task', by: person, task: 'x' },
      { type: 'tag', by: person, add: ['a'], remove: ['b'] },
    ),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ decision: fc.constantFrom('allow', 'deny'), by: fc.constantFrom(person, parent) })
      .map((each): Input => ({ type: 'answer', text: null, ...each })),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({ id: fc.nat(9).map((n) => `w${n}`), seconds: fc.constantFrom(0, 1, 60) })
      .map((each): Input => ({ type: 'watch', by: 'boss', ...each })),
  },
  {
    weight: 3,
    arbitrary: fc.oneof(
      fc
        .record({ workspace: fc.constantFrom('/repo', '/other'), enforced: fc.boolean() })
        .map((each): Input => ({ type: 'lock', by: person, reason: 'mine', ...each })),
      fc
        .record({ by: fc.constantFrom('s1', 'boss', 'other'), seconds: fc.constantFrom(1, 60) })
        .map((each): Input => ({ type: 'await-lock', id: 'w', workspace: '/repo', ...each })),
      fc.constantFrom(person, parent).map((by): Input => ({ type: 'unlock', by })),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc
        .record({ family: fc.boolean(), amount: fc.constantFrom({ usd: 1, tokens: null }, null, null) })
        .map((each): Input => ({ type: 'set-budget', by: person, ...each })),
      fc
        .record({
          serial: fc.nat(20),
          hold: fc.constantFrom({ why: 'all is used up', since: 0 }, null, null),
        })
        .map((each): Input => ({ type: 'passed-on', news: { is: 'hold', ...each } })),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Input>({ type: 'expect-clear', by: null }) },
  { weight: 1, arbitrary: fc.constant<Input>({ type: 'adopted' }) },
  { weight: 1, arbitrary: fc.constant<Input>({ type: 'due' }) },
  {
    weight: 1,
    arbitrary: fc
      .nat(500)
      .map(
        (offset): Input => ({ type: 'transcript-read', transcript: { path: '/t', offset, turnId: null } }),
      ),
  },
);

const source = fc.constantFrom('hook', 'transcript', 'pane');
/** Few ids, so that facts come twice; times from before and after. */
const factInput = fc.record({
  id: fc.nat(60).map((n) => `f${n}`),
  at: fc.integer({ min: 990_000, max: 1_100_000 }),
  source,
  fact,
});

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: named(factInput, 'fact', (each, lane) => lane.take({ type: 'fact', ...each } as Input)),
  },
  { weight: 5, arbitrary: named(command, 'command', (each, lane) => lane.take(each)) },
  // The effects of a lane run in their order, so the oldest is the one that has a result.
  {
    weight: 10,
    arbitrary: named(fc.array(result, { minLength: 12, maxLength: 12 }), 'result', (results, lane) => {
      const [oldest] = lane.owed;
      const fitting = results.find((each) => each.of === oldest?.effect.do);
      return oldest && fitting ? lane.result(oldest.id, fitting) : undefined;
    }),
  },
  // What was typed is what an agent takes, most of the time.
  {
    weight: 2,
    arbitrary: named(fc.record({ turnId, source }), 'taken', ({ turnId, source }, lane) => {
      const { attempt, context } = lane.state.session;
      if (attempt?.step !== 'typed' || context.providerId === null) return undefined;
      const fact = factOf({
        is: 'prompt-submitted',
        providerId: context.providerId,
        turnId,
        text: attempt.text,
      });
      return lane.take({ type: 'fact', id: `taken-${attempt.id}`, at: lane.now, source, fact } as Input);
    }),
  },
  {
    weight: 2,
    arbitrary: named(source, 'ended', (source, lane) => {
      const { turn, context } = lane.state.session;
      if (!turn || context.providerId === null) return undefined;
      const fact = factOf({ is: 'turn-ended', providerId: context.providerId, turnId: turn.id });
      return lane.take({ type: 'fact', id: `ended-${turn.id}`, at: lane.now, source, fact } as Input);
    }),
  },
  // A look or a typing that nobody waits for any more.
  {
    weight: 1,
    arbitrary: named(fc.tuple(fc.nat(20), strayResult), 'stray', ([n, each], lane) =>
      lane.owed.some(({ id }) => id === `s1.e${n}`) ? undefined : lane.result(`s1.e${n}`, each),
    ),
  },
  {
    weight: 4,
    arbitrary: named(fc.constantFrom(0, 50, 1_500, 3_000, 12_000, 70_000, 1_900_000), 'wait', (ms, lane) =>
      lane.wait(ms),
    ),
  },
  { weight: 1, arbitrary: named(fc.constant(null), 'crash', (_, lane) => lane.crash()) },
  {
    weight: 1,
    arbitrary: named(
      fc.oneof(
        command,
        factInput.map((each) => ({ type: 'fact', ...each }) as Input),
      ),
      'full disk',
      (each, lane) => {
        lane.takeInVain(each);
        return undefined;
      },
    ),
  },
);

/** So that most histories get somewhere. */
const begun: Step = async (lane) => {
  await lane.result(lane.owed[0]?.id as string, launched);
  await lane.take({
    type: 'fact',
    id: 'begun',
    at: lane.now,
    source: 'hook',
    fact: factOf({ is: 'agent-started' }),
  });
};

const histories = fc.array(step, { maxLength: 50, size: 'max' });
const numRuns = 1_000;

describe('any history of a session', () => {
  it('keeps every invariant, and the store knows all of it', async () => {
    const reached = new Map<string, number>();
    const note = (lane: Lane) => {
      for (const { state } of lane.messages.values()) reached.set(state.is, (reached.get(state.is) ?? 0) + 1);
    };
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.boolean(), histories, async (early, stash, steps) => {
        const store = openSqliteStore(':memory:');
        try {
          const lane = await openLane(store, aloneWith({ stash }));
          for (const each of early ? steps : [begun, ...steps]) {
            await each(lane);
            note(lane);
          }
          await lane.crash();
        } finally {
          await store.close();
        }
      }),
      { numRuns },
    );
    // The histories are worth something only if they reach every state.
    for (const is of ['queued', 'held', 'typed', 'accepted', 'answered', 'failed']) {
      expect(reached.get(is), `messages that ended up ${is}`).toBeGreaterThan(numRuns / 10);
    }
    const otherEnds = ['cut-off', 'interrupted', 'died', 'cleared', 'unknown'].map(
      (is) => reached.get(is) ?? 0,
    );
    const sum = otherEnds.reduce((all, each) => all + each);
    expect(sum, 'messages that ended otherwise').toBeGreaterThan(numRuns / 50);
  });
});
