import { describe, expect, it } from 'vitest';
import { readAppServer } from './reader.ts';

const thread = 't1';
const say = (method: string, params: object) =>
  JSON.stringify({ method, params: { threadId: thread, ...params } });
const item = (what: 'started' | 'completed', turnId: string, type: string, more: object = {}) =>
  say(`item/${what}`, { turnId, item: { type, id: `${type}-1`, ...more } });
const prompt = (turnId: string, text: string) =>
  item('started', turnId, 'userMessage', { content: [{ type: 'text', text }] });
const over = (id: string, status: string, error: object | null = null) =>
  say('turn/completed', { turn: { id, status, error } });
const asks = (id: number, itemId: string) =>
  JSON.stringify({
    id,
    method: 'item/commandExecution/requestApproval',
    params: { threadId: thread, turnId: 'a', itemId, command: `rm ${itemId}`, reason: null },
  });

function reading(...lines: string[]) {
  const reader = readAppServer();
  const told = lines.flatMap((line) => reader.line(line).told);
  return { reader, told, facts: told.map(({ fact }) => fact) };
}

describe('what an app-server says', () => {
  it('opens a thread, takes it up again, or puts another in its place', () => {
    const answer = (id: string, thread: string) =>
      JSON.stringify({ id, result: { thread: { id: thread, path: '/r.jsonl' }, model: 'm' } });
    const { facts } = reading(answer('start:1', 't1'), answer('resume:2', 't1'), answer('clear:t1:3', 't2'));
    expect(
      facts.map((fact) => ('source' in fact ? [fact.is, fact.providerId, fact.source] : fact.is)),
    ).toEqual([
      ['agent-started', 't1', 'startup'],
      ['agent-started', 't1', 'resume'],
      'context-ended',
      ['agent-started', 't2', 'clear'],
    ]);
  });

  it('begins a turn with its prompt, and takes up what is given during it', () => {
    const { facts } = reading(prompt('a', 'do it'), prompt('a', 'and this'));
    expect(facts).toMatchObject([
      { is: 'prompt-submitted', turnId: 'a', text: 'do it' },
      { is: 'prompt-absorbed', turnId: 'a', text: 'and this' },
    ]);
  });

  it.each([
    ['completed', null, { is: 'turn-ended', lastWords: 'done' }],
    ['interrupted', null, { is: 'turn-ended', end: 'interrupted' }],
    [
      'failed',
      { message: '{"error":{"message":"too much"}}' },
      { is: 'turn-ended', end: 'failed', lastWords: 'too much' },
    ],
    ['failed', { message: 'plain words' }, { is: 'turn-ended', end: 'failed', lastWords: 'plain words' }],
  ])('ends a turn: %s', (status, error, end) => {
    const { facts, reader } = reading(
      prompt('a', 'do it'),
      item('started', 'a', 'agentMessage', { text: '' }),
      item('completed', 'a', 'agentMessage', { text: 'done' }),
      over('a', status, error),
    );
    expect(facts.slice(-3)).toMatchObject([{ is: 'said', text: 'done' }, end, { is: 'prompts-dropped' }]);
    expect(reader.atRest).toBe(true);
  });

  it('hears of a command that outlived its turn, and the turn that runs by then goes on and ends', () => {
    const { facts, reader } = reading(
      prompt('a', 'do it'),
      item('started', 'a', 'commandExecution'),
      over('a', 'completed'),
      prompt('b', 'and this'),
      item('completed', 'b', 'agentMessage', { text: 'done' }),
      item('completed', 'a', 'commandExecution'),
      over('b', 'completed'),
      item('completed', 'a', 'commandExecution'),
    );
    expect(facts.slice(-3)).toMatchObject([
      { is: 'said', turnId: 'b', text: 'done' },
      { is: 'turn-ended', turnId: 'b', lastWords: 'done' },
      { is: 'prompts-dropped' },
    ]);
    expect(reader.atRest).toBe(true);
  });

  it('reviews: the answer begins the turn, its own prompt and tools are its business, and an inner turn runs', () => {
    const answer = JSON.stringify({
      id: 'review:aaaaaaaa:uuid',
      result: { turn: { id: 'r' }, reviewThreadId: thread },
    });
    const { facts, reader } = reading(
      answer,
      item('started', 'r', 'enteredReviewMode', { review: 'current changes' }),
      say('turn/started', { turn: { id: 'inner', rootTurnId: 'r' } }),
      prompt('r', 'Review the current code changes'),
      item('started', 'r', 'commandExecution'),
      item('completed', 'r', 'commandExecution'),
    );
    expect(facts).toEqual([
      {
        is: 'prompt-submitted',
        providerId: thread,
        turnId: 'r',
        text: '',
        transcriptPath: null,
        messages: ['aaaaaaaa'],
      },
      { is: 'activity', providerId: thread, turnId: 'r', subject: null },
    ]);
    expect(reader.turn(thread)).toBe('inner');
    const ends = [item('completed', 'r', 'agentMessage', { text: 'fine' }), over('r', 'completed')].flatMap(
      (line) => reader.line(line).told,
    );
    expect(ends.map(({ fact }) => fact)).toMatchObject([
      { is: 'said', text: 'fine' },
      { is: 'turn-ended', turnId: 'r', lastWords: 'fine' },
      { is: 'prompts-dropped' },
    ]);
    expect(reader.turn(thread)).toBeNull();
  });

  it('compacts in a turn of its own, or in the middle of one; a compaction that fails is over, too', () => {
    const alone = reading(
      item('started', 'c', 'contextCompaction'),
      item('completed', 'c', 'contextCompaction'),
      over('c', 'completed'),
    );
    expect(alone.facts).toMatchObject([
      { is: 'compaction-began', trigger: 'manual' },
      { is: 'compaction-ended' },
    ]);
    const within = reading(prompt('a', 'x'), item('started', 'a', 'contextCompaction'), over('a', 'failed'));
    expect(within.facts.map(({ is }) => is)).toEqual([
      'prompt-submitted',
      'compaction-began',
      'compaction-ended',
      'turn-ended',
      'prompts-dropped',
    ]);
  });

  it('asks one question after another', () => {
    const { reader, told } = reading(prompt('a', 'x'), asks(0, 'one'), asks(1, 'two'));
    expect(told.filter(({ asked }) => asked !== undefined)).toMatchObject([
      { asked: 0, fact: { is: 'permission-asked', subject: 'one', text: 'command: rm one' } },
    ]);
    const next = reader.line(say('serverRequest/resolved', { requestId: 0 })).told;
    expect(next).toMatchObject([
      { fact: { is: 'activity', subject: 'one' } },
      { asked: 1, fact: { is: 'permission-asked', subject: 'two' } },
    ]);
    expect(reader.atRest).toBe(false);
    reader.line(over('a', 'interrupted'));
    expect(reader.atRest).toBe(true);
  });

  it('wants things that nobody here can give', () => {
    const { reader } = reading(JSON.stringify({ id: 7, method: 'attestation/generate', params: {} }));
    expect(reader.unanswerable()).toEqual([7]);
    expect(reader.unanswerable()).toEqual([]);
  });

  it('says how full the context is, and what the thread has used', () => {
    const { facts } = reading(
      say('thread/tokenUsage/updated', {
        turnId: 'a',
        tokenUsage: {
          last: { totalTokens: 130_000, inputTokens: 129_000, cachedInputTokens: 9_000, outputTokens: 1_000 },
          total: {
            totalTokens: 150_000,
            inputTokens: 148_000,
            cachedInputTokens: 9_000,
            outputTokens: 2_000,
          },
          modelContextWindow: 200_000,
        },
      }),
    );
    expect(facts).toMatchObject([
      { is: 'usage', usage: { percentage: 65, tokens: 130_000 } },
      {
        is: 'spent',
        before: { input: 19_000, cacheRead: 0, output: 1_000 },
        tokens: { input: 139_000, cacheRead: 9_000, output: 2_000 },
      },
    ]);
  });

  it('is forgotten when a new process begins', () => {
    const { reader } = reading(prompt('a', 'x'), asks(0, 'one'), JSON.stringify({ method: 'sm/launched' }));
    expect(reader.turn(thread)).toBeNull();
    expect(reader.questions.size).toBe(0);
  });

  it.each([
    '',
    'panic!',
    '[]',
    'null',
    '{}',
    '{"id":null,"result":1}',
    '{"method":7}',
    '{"method":"item/started"}',
    '{"method":"item/started","params":{"threadId":"t1","item":[]}}',
    '{"method":"turn/completed","params":{"threadId":"t1","turn":"x"}}',
    '{"method":"item/completed","params":{"threadId":"t1","turnId":5,"item":{"type":"agentMessage"}}}',
    '{"id":"start:1","result":{"thread":null}}',
    '{"id":3,"method":"item/fileChange/requestApproval"}',
  ])('may be nonsense: %s', (line) => {
    const { reader } = reading(line);
    expect(reader.line(prompt('a', 'goes on')).told).toMatchObject([{ fact: { is: 'prompt-submitted' } }]);
  });
});
