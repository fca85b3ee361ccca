import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { launchMark } from '../../headless/reader.ts';
import { readOpencode } from './reader.ts';
import { idAt } from './wire.ts';

const event = (type: string, properties: object = {}, sessionID = 'ses_1') =>
  JSON.stringify({ type, properties: { sessionID, ...properties } });
const answer = (id: string, body: unknown, status = 200) => JSON.stringify({ id, status, body });
const opened = answer('start:1', { id: 'ses_1' });
const busy = event('session.status', { status: { type: 'busy' } });
const idle = event('session.idle');

const user = (id: string, text: string, more: object = {}) => [
  event('message.updated', { info: { id, role: 'user' } }),
  event('message.part.updated', { part: { type: 'text', messageID: id, text, ...more } }),
];
const writes = (id: string, parentID: string, more: object = {}) =>
  event('message.updated', { info: { id, role: 'assistant', parentID, time: { created: 1 }, ...more } });
const closes = (id: string, parentID: string, more: object = { finish: 'stop' }) =>
  writes(id, parentID, { time: { created: 1, completed: 2 }, ...more });
const speaks = (messageID: string, text: string) =>
  event('message.part.updated', { part: { type: 'text', messageID, text, time: { start: 1, end: 2 } } });
const tool = (callID: string, status: string) =>
  event('message.part.updated', { part: { type: 'tool', messageID: 'a', callID, state: { status } } });
const asks = (id: string, callID: string) =>
  event('permission.asked', {
    ...{ id, permission: 'bash', patterns: ['rm x'], metadata: { command: 'rm x' }, tool: { callID } },
  });
const error = (name: string, message: string) => ({ error: { name, data: { message } } });

function reading(...lines: (string | string[])[]) {
  const reader = readOpencode(null);
  const told = lines.flat().flatMap((line) => reader.line(line).told);
  return { reader, told, facts: told.map(({ fact }) => fact) };
}
const names = (...lines: (string | string[])[]) => reading(...lines).facts.map(({ is }) => is);

describe('what opencode tells', () => {
  it('begins a turn with the text of a prompt, and ends it with the last words', () => {
    const { facts, reader } = reading(
      opened,
      user('m1', '[sm] a'),
      busy,
      writes('m2', 'm1'),
      speaks('m2', 'bye'),
      closes('m2', 'm1'),
      idle,
    );
    expect(facts).toMatchObject([
      { is: 'agent-started', providerId: 'ses_1', source: 'startup' },
      { is: 'prompt-submitted', providerId: 'ses_1', turnId: 'm1', text: '[sm] a' },
      { is: 'activity', turnId: 'm1' },
      { is: 'said', turnId: 'm1', text: 'bye' },
      { is: 'turn-ended', end: 'ended', turnId: 'm1', lastWords: 'bye' },
    ]);
    expect(reader).toMatchObject({ atRest: true, opened: 'ses_1' });
  });

  it('takes what is given during a turn for taken up when an answer is to it', () => {
    const { facts } = reading(
      user('m1', 'a'),
      writes('m2', 'm1'),
      user('m3', 'b'),
      closes('m2', 'm1', { finish: 'tool-calls' }),
      writes('m4', 'm3'),
      closes('m4', 'm3'),
      idle,
    );
    expect(facts.map(({ is }) => is)).toEqual([
      ...['prompt-submitted', 'activity', 'prompt-enqueued', 'prompt-absorbed', 'activity', 'turn-ended'],
    ]);
    expect(facts[3]).toMatchObject({ turnId: 'm1', text: 'b' });
  });

  it('says what no answer was to, and takes ours back', () => {
    const ours = idAt(1_000, 0, '12345678');
    const { facts, reader } = reading(
      user('msg_000000000001', 'a'),
      writes('msg_000000000002', 'msg_000000000001'),
      user('msg_000000000003', 'of a human'),
      user(ours, 'of ours'),
      event('session.error', error('MessageAbortedError', 'Aborted')),
      idle,
      closes('msg_000000000002', 'msg_000000000001', error('MessageAbortedError', 'Aborted')),
      idle,
    );
    expect(facts.slice(-2)).toMatchObject([
      { is: 'turn-ended', end: 'interrupted', turnId: 'msg_000000000001' },
      { is: 'prompts-dropped' },
    ]);
    expect(reader.atRest).toBe(false);
    expect(reader.dropped()).toEqual([{ conversation: 'ses_1', message: ours }]);
    expect(reader.atRest).toBe(true);
  });

  it('ends a cut turn once, when its answer is closed', () => {
    const ends = names(
      user('m1', 'a'),
      writes('m2', 'm1'),
      event('session.error', error('APIError', 'no such thing')),
      idle,
      closes('m2', 'm1', error('APIError', 'no such thing')),
      idle,
      idle,
    );
    expect(ends.filter((is) => is === 'turn-ended')).toHaveLength(1);
    const { facts } = reading(user('m1', 'a'), event('session.error', error('APIError', 'no')), idle);
    expect(facts.at(-1)).toMatchObject({ end: 'failed', lastWords: 'no' });
  });

  it('that was cut while it waited to try again says so by not having finished', () => {
    const { facts } = reading(user('m1', 'a'), writes('m2', 'm1'), closes('m2', 'm1', {}), idle);
    expect(facts.at(-1)).toMatchObject({ is: 'turn-ended', end: 'interrupted' });
  });

  it('tells when a tool runs', () => {
    const { facts } = reading(
      user('m1', 'a'),
      writes('m2', 'm1'),
      tool('t', 'pending'),
      tool('t', 'running'),
      tool('t', 'running'),
      tool('t', 'completed'),
    );
    expect(facts.slice(2)).toMatchObject([
      { is: 'activity', step: 'tool-began', subject: null },
      { is: 'activity', step: 'tool-ended', subject: 't' },
    ]);
  });

  it('tells of a compaction, which is no turn', () => {
    const { facts, reader } = reading(
      event('message.updated', { info: { id: 'm1', role: 'user' } }),
      event('message.part.updated', { part: { type: 'compaction', messageID: 'm1', auto: false } }),
      writes('m2', 'm1', { summary: true }),
      speaks('m2', 'a summary'),
      closes('m2', 'm1', { summary: true, finish: 'stop' }),
      event('session.compacted'),
      idle,
    );
    expect(facts).toEqual([
      { is: 'compaction-began', providerId: 'ses_1', trigger: 'manual' },
      { is: 'compaction-ended', providerId: 'ses_1' },
    ]);
    expect(reader.atRest).toBe(true);
  });

  it('goes on after an automatic compaction without a new prompt', () => {
    const { facts } = reading(
      user('m1', 'a'),
      writes('m2', 'm1'),
      closes('m2', 'm1', { finish: 'tool-calls' }),
      event('message.updated', { info: { id: 'm3', role: 'user' } }),
      event('message.part.updated', { part: { type: 'compaction', messageID: 'm3', auto: true } }),
      event('session.compacted'),
      user('m4', 'Continue', { synthetic: true }),
      writes('m5', 'm4'),
      speaks('m5', 'done'),
      closes('m5', 'm4'),
      idle,
    );
    expect(facts.filter(({ is }) => is === 'prompt-enqueued' || is === 'prompt-submitted')).toHaveLength(1);
    expect(facts.at(-1)).toMatchObject({ is: 'turn-ended', turnId: 'm1', lastWords: 'done' });
  });

  it('asks one question after another, each with what it is about', () => {
    const { told, reader } = reading(user('m1', 'a'), asks('q1', 't1'), asks('q2', 't2'));
    expect(told.slice(1)).toMatchObject([
      {
        fact: { is: 'permission-asked', turnId: 'm1', subject: 't1', text: 'bash: rm x' },
        asked: 'q1',
        call: { tool: 'bash', does: { is: 'command', command: 'rm x' } },
      },
    ]);
    expect(reader.line(event('permission.replied', { requestID: 'q1' })).told).toMatchObject([
      { fact: { is: 'activity', subject: 't1' } },
      { fact: { is: 'permission-asked', subject: 't2' }, asked: 'q2' },
    ]);
  });

  it('a clear ends one conversation and begins another', () => {
    const { facts } = reading(opened, answer('clear:ses_1:2', { id: 'ses_2' }));
    expect(facts.slice(1)).toMatchObject([
      { is: 'context-ended', providerId: 'ses_1' },
      { is: 'agent-started', providerId: 'ses_2', source: 'clear' },
    ]);
  });

  it('follows the human to a conversation that he begins in the terminal, when it works', () => {
    const created = event('session.created', { info: { id: 'ses_2' } }, 'ses_2');
    const other = (line: string) => line.replace('ses_1', 'ses_2');
    const { facts, reader } = reading(opened, created, user('m1', 'of a human').map(other), other(busy));
    expect(facts.slice(-3)).toMatchObject([
      { is: 'context-ended', providerId: 'ses_1' },
      { is: 'agent-started', providerId: 'ses_2', source: 'clear' },
      { is: 'prompt-submitted', providerId: 'ses_2', turnId: 'm1', text: 'of a human' },
    ]);
    expect(reader.isBusy('ses_2')).toBe(true);
  });

  it('leaves the conversations of agents inside alone, and those that are only copied', () => {
    const child = event('session.created', { info: { id: 'ses_2', parentID: 'ses_1' } }, 'ses_2');
    const other = (line: string) => line.replace('ses_1', 'ses_2');
    expect(names(opened, child, other(busy))).toEqual(['agent-started']);
    const { reader, facts } = reading(
      event('session.created', { info: { id: 'ses_2' } }, 'ses_2'),
      user('m1', 'copied').map(other),
      answer('fork:1', { id: 'ses_2' }),
      user('m2', 'copied late').map(other),
      event('tui.session.select', {}, 'ses_2'),
      user('m3', 'said to the copy').map(other),
    );
    expect(facts.slice(1)).toMatchObject([
      { is: 'agent-started', providerId: 'ses_2', source: 'startup' },
      { is: 'prompt-submitted', providerId: 'ses_2', turnId: 'm3', text: 'said to the copy' },
    ]);
    expect(reader.isBusy('ses_2')).toBe(true);
  });

  it('is not led astray by its own conversation, whenever that is told', () => {
    const created = event('session.created', { info: { id: 'ses_1' } });
    for (const lines of [
      [created, opened],
      [opened, created],
    ])
      expect(names(...lines, user('m1', 'a'), busy)).toEqual(['agent-started', 'prompt-submitted']);
  });

  it('tells how full the context is, once it knows how large that may be', () => {
    const tokens = { input: 30, output: 5, cache: { read: 10, write: 10 } };
    const model = { providerID: 'p', modelID: 'm' };
    const { facts } = reading(
      answer('windows:1', { 'p/m': 100 }),
      user('m1', 'a'),
      writes('m2', 'm1', model),
      closes('m2', 'm1', { finish: 'stop', tokens, ...model }),
    );
    expect(facts.slice(-2)).toMatchObject([
      { is: 'usage', usage: { percentage: 50, tokens: 50, windowSize: 100, model: 'p/m' } },
      { is: 'spent', meter: 'm2', tokens: { input: 30, cacheRead: 10, cacheWrite: 10, output: 5 } },
    ]);
  });

  it('passes a refusal on to whoever asked', () => {
    const { answers } = readOpencode(null).line(
      answer('x:1', { name: 'NotFound', data: { message: 'no' } }, 404),
    );
    expect(answers).toEqual({ id: 'x:1', heard: { is: 'refusal', message: 'no' } });
  });

  it('starts anew with a new process', () => {
    const { reader } = reading(
      opened,
      user('m1', 'a'),
      asks('q', 't'),
      JSON.stringify({ method: launchMark }),
    );
    expect(reader).toMatchObject({ atRest: true, opened: null });
  });

  it('lives through whatever is said', () => {
    const known = [opened, busy, idle, asks('q', 't'), tool('t', 'running'), ...user('m1', 'a')];
    const type = fc.constantFrom(
      ...['session.created', 'session.status', 'session.error', 'session.idle', 'session.compacted'],
      ...['message.updated', 'message.part.updated', 'permission.asked', 'permission.replied'],
      ...['question.asked', 'question.replied'],
    );
    const properties = fc.record(
      {
        sessionID: fc.constantFrom('ses_1', 'ses_2'),
        info: fc.oneof(
          fc.anything(),
          fc.record({ id: fc.string(), role: fc.constantFrom('user', 'assistant'), time: fc.anything() }),
        ),
        part: fc.oneof(
          fc.anything(),
          fc.record({ type: fc.constantFrom('text', 'tool', 'compaction'), messageID: fc.anything() }),
        ),
        ...{ id: fc.anything(), status: fc.anything(), error: fc.anything(), questions: fc.anything() },
        ...{ requestID: fc.anything(), tool: fc.anything(), patterns: fc.anything() },
      },
      { requiredKeys: [] },
    );
    const words = fc.oneof(
      fc.string(),
      fc.json(),
      fc.constantFrom(...known),
      fc.record({ type, properties }).map((each) => JSON.stringify(each)),
      fc
        .record({ id: fc.anything(), status: fc.anything(), body: fc.anything() })
        .map((each) => JSON.stringify(each)),
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), (lines) => {
        const { reader, facts } = reading(...lines);
        for (const fact of facts) expect(fact).toHaveProperty('providerId', expect.any(String));
        reader.line(JSON.stringify({ method: launchMark }));
        expect(reader.atRest).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
