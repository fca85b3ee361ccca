// What is told of an event: one schema for each kind and step. A kind of the domain that has none here does not compile.
import { z } from '@hono/zod-openapi';
import { actor, mode, nullableNumber, nullableText, sender } from './fields.ts';

const text = z.string();
const texts = z.array(text).readonly();
const by = { by: actor };
const why = { why: text };
const evidence = z.object({
  source: z.enum(['hook', 'transcript', 'notification', 'screen']),
  id: text,
  at: z.number(),
});
const decision = z.enum(['allow', 'deny']);

const head = {
  /** Durable, and higher than that of everything that happened before. */
  number: z.number(),
  session_id: text,
  at: text,
};

const plain = <const Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) =>
  z.object({ ...head, type: z.literal(type), ...shape });
const step = <
  const Type extends string,
  const Step extends string,
  Shape extends z.core.$ZodLooseShape = object,
>(
  type: Type,
  name: Step,
  shape: Shape = {} as Shape,
) => plain(type, { step: z.literal(name), ...shape });
const message = <const State extends string, Shape extends z.core.$ZodLooseShape>(
  state: State,
  shape: Shape,
) => plain('message', { message: text, state: z.literal(state), ...shape });
/** Its turn has ended, and not by itself; without a turn, it never reached the agent. */
const ended = <const State extends string>(state: State) =>
  message(state, { turn: nullableText.optional(), ...why });

const knownEvent = z.union([
  step('session', 'created', {
    provider: text,
    name: text,
    working_dir: text,
    parent_id: nullableText,
    /** The conversation that it begins with a copy of. */
    forked_from: z.object({ id: text, name: text, context: z.number() }).optional(),
  }),
  step('session', 'launched', { pid: z.number(), agent_version: nullableText }),
  step('session', 'ready', { provider_id: nullableText, evidence }),
  step('session', 'renamed', { name: text }),
  step('session', 'adopted'),
  step('session', 'exited', {
    code: nullableNumber,
    signal: nullableNumber,
    reason: text,
    screen: nullableText,
    killed: z.boolean(),
    not_started: text.optional(),
  }),
  step('session', 'lost', { reason: text }),
  step('session', 'killed', by),
  step('session', 'restored', { ...by, resumed: z.boolean() }),
  step('session', 'moved', { ...by, provider: text, resumed: z.boolean() }),
  step('session', 'not-moved', why),
  step('context', 'began', { context: z.number(), provider_id: nullableText, by: text }),
  step('context', 'ended', { context: z.number(), reason: text }),
  step('usage', 'sampled', {
    percentage: z.number(),
    context: z.number(),
    tokens: nullableNumber,
    cost_usd: nullableNumber,
  }),
  step('usage', 'marked', { percentage: z.number(), mark: z.enum(['warning', 'critical']) }),
  step('turn', 'began', { turn: nullableText, evidence, messages: texts }),
  step('turn', 'ended', {
    turn: nullableText,
    evidence,
    end: z.enum(['ended', 'cut-off', 'interrupted', 'failed', 'died', 'cleared', 'unknown']),
    last_words: nullableText,
  }),
  step('question', 'asked', { kind: text, text, evidence: evidence.optional() }),
  step('question', 'answered', { answer: text, ...by, decision, text: nullableText, question: text }),
  step('question', 'ruled', { answer: nullableText, decision, rule: text, says: text, question: text }),
  step('question', 'answer-taken', { answer: text }),
  step('question', 'answer-lost', { answer: text, ...why }),
  step('question', 'closed', why),
  message('queued', { from: sender, mode, why: text.optional() }),
  message('held', why),
  message('typed', { attempt: text }),
  message('accepted', { turn: nullableText, evidence }),
  message('answered', { turn: nullableText }),
  ended('cut-off'),
  ended('interrupted'),
  ended('failed'),
  ended('died'),
  ended('cleared'),
  ended('unknown'),
  message('withdrawn', why),
  message('expired', why),
  step('comment', 'added', { comments: texts, path: text, line: z.number(), ...by }),
  step('comment', 'deleted', { comments: texts, ...by }),
  step('comment', 'sent', { comments: texts, message: text }),
  step('command', 'queued', { command: text, id: text, ...by }),
  step('command', 'typed', { command: text, id: text }),
  step('command', 'failed', { command: text, id: text.optional(), ...why }),
  step('clear', 'expected', { by: nullableText }),
  step('clear', 'asked', by),
  step('clear', 'done', { ...by, context: z.number() }),
  step('clear', 'failed', why),
  step('interrupt', 'asked', by),
  step('interrupt', 'failed', why),
  step('compaction', 'began', { trigger: text, evidence: evidence.optional() }),
  step('compaction', 'ended', { ...why, overdue: z.boolean() }),
  step('handoff', 'prepared', { path: text }),
  step('handoff', 'scheduled', { path: text, auto: z.boolean() }),
  step('handoff', 'clearing', { path: text }),
  step('handoff', 'cleared', { message: text }),
  step('handoff', 'done', { path: text, context: z.number() }),
  step('handoff', 'failed', { path: text, ...why }),
  step('reminder', 'started', { soft: z.number(), hard: z.number() }),
  step('reminder', 'restarted', why),
  step('reminder', 'sent', { kind: z.enum(['soft', 'hard']), message: text }),
  step('reminder', 'unheeded', { times: z.number() }),
  step('reminder', 'ended', why),
  step('limit', 'told', { account: text, window: text, used: z.number(), resets_at: nullableNumber }),
  step('limit', 'reached', { text, until: nullableNumber, evidence }),
  step('limit', 'resumed', { message: text }),
  step('limit', 'over', why),
  step('budget', 'set', { family: z.boolean(), usd: nullableNumber, tokens: nullableNumber, ...by }),
  step('budget', 'off', { family: z.boolean(), ...by }),
  step('budget', 'near', { family: z.boolean(), text }),
  step('budget', 'used-up', { family: z.boolean(), text }),
  step('budget', 'unknown', { family: z.boolean(), text }),
  step('budget', 'held', why),
  step('budget', 'free'),
  step('one-shot', 'set', { reminder: text, due: z.number(), every: nullableNumber }),
  step('one-shot', 'sent', { reminder: text, message: text }),
  step('one-shot', 'forced', { reminder: text, seconds: z.number() }),
  step('one-shot', 'cancelled', { reminder: text }),
  step('lock', 'taken', { workspace: text, reason: text, enforced: z.boolean() }),
  step('lock', 'released', { workspace: text, by: actor.nullable(), how: text }),
  step('lock', 'awaited', { workspace: text, wait: text, by: text, seconds: z.number() }),
  step('screen', 'unrecognised', { provider: text, agent_version: nullableText }),
  step('screen', 'recognised'),
  step('worktree', 'output', { text }),
  step('worktree', 'set-up'),
  step('worktree', 'removing', { path: text, ...by }),
  step('worktree', 'removed', { path: text, ref: text }),
  step('worktree', 'kept', { path: text, ...why }),
  step('worktree', 'restored', { path: text, branch: text }),
  step('worktree', 'not-restored', why),
  step('worktree', 'finished', { how: text, branch: text, into: text, commit: text }),
  step('worktree', 'not-finished', why),
  step('worktree', 'made', { path: text, branch: text, base: text, commit: text }),
  plain('said', { turn: nullableText, text }),
  plain('task-set', { task: text }),
  plain('tagged', { ...by, added: texts, removed: texts }),
  plain('status-reported', { text }),
  plain('watched', { watch: text, by: text, seconds: z.number() }),
  plain('monitor-set', { enabled: z.boolean(), notify: nullableText }),
  plain('key-pressed', { press: text, key: text, outcome: text }),
  plain('notice-posted', { message: nullableText, to: text, about: text, notice: text }),
  plain('checked-out', { repository: nullableText, branch: nullableText, commit: nullableText }),
  plain('agent-version', { version: text }),
  plain('agent-model', { model: text }),
  plain('fact-set-aside', { fact: text, ...why }),
]);
export type KnownEvent = z.infer<typeof knownEvent>;

/** Of the kinds that are known; a newer daemon may tell others, of which only the head is sure. */
export const eventView = knownEvent.openapi('Event');
export type EventView = KnownEvent & Readonly<Record<string, unknown>>;
