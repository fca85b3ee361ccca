import { describe, expect, it } from 'vitest';
import type { Fact } from '../../domain/core/fact.ts';
import { knownAs } from './known.ts';
import { type Note, readAcp } from './reader.ts';

const id = 'prompt:a1';
const prompt = (more: Partial<Note> = {}): Note =>
  ({ what: 'prompt', conversation: 's1', text: 'do it', messages: ['m1'], after: 100, ...more }) as Note;
const update = (sessionUpdate: string, more: object = {}) =>
  ({ method: 'session/update', params: { sessionId: 's1', update: { sessionUpdate, ...more } } }) as object;
const chunk = (text: string, who = 'agent', messageId?: string) =>
  update(`${who}_message_chunk`, { content: { type: 'text', text }, ...(messageId && { messageId }) });
const answer = (stopReason: string) => ({ id, result: { stopReason } });
const launched = { method: 'sm/launched' };

/** What it makes of lines that begin at 100, 101, … */
function reading(like = 'unknown', notes = new Map<string, Note>([[id, prompt()]])) {
  const reader = readAcp(knownAs(like), notes);
  let at = 100;
  const hear = (...lines: object[]): Fact[] =>
    lines.flatMap((line) => reader.line(JSON.stringify(line), at++).told.map(({ fact }) => fact));
  return { reader, notes, hear };
}
const kinds = (facts: Fact[]) => facts.map(({ is }) => is);

describe('a turn', () => {
  it('is proven by its first words, and ends with the answer', () => {
    const { hear, reader } = reading();
    expect(reader.busy).toBe(true);
    expect(hear(update('session_info_update'), update('usage_update', { used: 0, size: 9 }))).toEqual([]);
    expect(hear(chunk('hel'), chunk('lo'))).toEqual([
      expect.objectContaining({ is: 'prompt-submitted', turnId: id, text: 'do it', messages: ['m1'] }),
      expect.objectContaining({ is: 'activity', turnId: id }),
    ]);
    expect(hear(answer('end_turn'))).toEqual([
      expect.objectContaining({ is: 'said', text: 'hello' }),
      expect.objectContaining({ is: 'turn-ended', end: 'ended', lastWords: 'hello' }),
    ]);
    expect([reader.busy, reader.atRest]).toEqual([false, true]);
    expect(reader.settled()).toEqual([id]);
  });

  it('is proven by its answer where nothing else came', () => {
    expect(kinds(reading().hear(answer('end_turn')))).toEqual(['prompt-submitted', 'turn-ended']);
    expect(reading().hear({ id, error: { code: -1, message: 'no' } })).toEqual([
      expect.objectContaining({ is: 'prompt-submitted' }),
      expect.objectContaining({ is: 'turn-ended', end: 'failed', lastWords: 'no' }),
    ]);
  });

  it('is told once by an answer that comes twice', () => {
    const { hear } = reading();
    hear(answer('cancelled'));
    expect(hear(answer('cancelled'))).toEqual([]);
  });

  it('says message by message what it says', () => {
    const { hear } = reading();
    const facts = hear(chunk('one', 'agent', 'a'), chunk('two', 'agent', 'b'), answer('end_turn'));
    expect(facts.filter(({ is }) => is === 'said').map((fact) => 'text' in fact && fact.text)).toEqual([
      'one',
      'two',
    ]);
  });

  it('begins with its usage only with agents that are known to tell it then', () => {
    const usage = update('usage_update', { used: 80, size: 200 });
    expect(kinds(reading('copilot').hear(usage))).toEqual(['prompt-submitted', 'usage']);
    expect(kinds(reading().hear(usage))).toEqual(['usage']);
  });

  it.each([
    ['cancelled', 'interrupted'],
    ['refusal', 'failed'],
    ['max_tokens', 'failed'],
    ['something new', 'failed'],
  ])('that stops by %s has %s', (reason, end) => {
    expect(reading().hear(answer(reason)).at(-1)).toMatchObject({ is: 'turn-ended', end });
  });

  it('of an agent that says its errors as words has failed, if that is all it says', () => {
    expect(reading('copilot').hear(chunk('Error: 400 no'), answer('end_turn')).at(-1)).toMatchObject({
      ...{ end: 'failed', lastWords: 'Error: 400 no' },
    });
    const { hear } = reading('copilot');
    expect(hear(chunk('Error: '), chunk('that is how it begins'), answer('end_turn')).at(-1)).toMatchObject({
      end: 'ended',
    });
    expect(reading().hear(chunk('Error: 400 no'), answer('end_turn')).at(-1)).toMatchObject({ end: 'ended' });
  });
});

describe('what is no turn', () => {
  it('is everything that was said before the prompt was given', () => {
    const { hear, reader } = reading('unknown', new Map([[id, prompt({ after: 102 })]]));
    expect(hear(chunk('late'), chunk('words'))).toEqual([]);
    expect(kinds(hear(chunk('now')))).toEqual(['prompt-submitted', 'activity']);
    expect(reader.busy).toBe(true);
  });

  it('is what another conversation says', () => {
    const { hear } = reading();
    const other = {
      method: 'session/update',
      params: { sessionId: 's2', update: { sessionUpdate: 'plan' } },
    };
    expect(hear(other)).toEqual([]);
  });

  const loading = () => {
    const load: Note = { what: 'open', conversation: 's1', after: 101 };
    const notes = new Map<string, Note>([
      [id, prompt({ after: 50 })],
      ['resume:100', load],
    ]);
    return reading('unknown', notes);
  };
  const loaded = { id: 'resume:100', result: {} };

  it('is the history of a conversation that is loaded', () => {
    const { hear } = loading();
    const history = [chunk('something else', 'user'), chunk('yes'), update('tool_call', { toolCallId: 'c' })];
    expect(kinds(hear(launched, ...history, loaded))).toEqual(['agent-started']);
  });

  it('tells whether the process before had taken the prompt that it did not answer', () => {
    const { hear, reader } = loading();
    const facts = hear(launched, chunk('hello', 'user'), chunk('yes'), chunk('do it', 'user'), loaded);
    expect(facts).toEqual([
      expect.objectContaining({ is: 'prompt-submitted', turnId: id, messages: ['m1'] }),
      expect.objectContaining({ is: 'turn-ended', turnId: id, end: 'failed' }),
      expect.objectContaining({ is: 'agent-started', source: 'resume' }),
    ]);
    expect([reader.busy, reader.atRest]).toEqual([false, true]);
    expect(reader.settled().sort()).toEqual([id, 'resume:100']);
  });

  it('does not take an earlier prompt with the same words for it', () => {
    const { hear } = loading();
    const facts = hear(launched, chunk('do it', 'user'), chunk('done'), chunk('another', 'user'), loaded);
    expect(kinds(facts)).toEqual(['agent-started']);
  });
});

describe('a question', () => {
  const asks = (request: number, toolCallId: string) => ({
    id: request,
    method: 'session/request_permission',
    params: {
      sessionId: 's1',
      toolCall: { toolCallId, title: 'touch x', kind: 'execute', rawInput: { command: 'touch x' } },
      options: [{ optionId: 'y', kind: 'allow_once' }],
    },
  });

  it('proves the turn, and is over when its tool goes on', () => {
    const { hear, reader } = reading();
    expect(hear(asks(0, 'c'))).toEqual([
      expect.objectContaining({ is: 'prompt-submitted' }),
      expect.objectContaining({ is: 'permission-asked', turnId: id, subject: 'c', text: 'touch x' }),
    ]);
    expect(hear(update('tool_call_update', { toolCallId: 'c', status: 'pending' }))).not.toContainEqual(
      expect.objectContaining({ subject: 'c' }),
    );
    expect(hear(update('tool_call_update', { toolCallId: 'c', status: 'completed' }))).toContainEqual(
      expect.objectContaining({ is: 'activity', subject: 'c' }),
    );
    expect(reader.questions.size).toBe(0);
  });

  it('of two waits until the other is answered, and is that of its own line', () => {
    const { hear, reader } = reading();
    hear(asks(0, 'c'));
    expect(hear(asks(1, 'd'))).toEqual([]);
    expect(reader.answered(0)).toEqual([
      expect.objectContaining({ asked: 1, of: 101, fact: expect.objectContaining({ subject: 'd' }) }),
    ]);
    expect(reader.answered(1)).toEqual([]);
  });

  it('that nobody here can answer is refused', () => {
    const { hear, reader } = reading();
    hear({ id: 5, method: 'fs/read_text_file', params: {} });
    expect(reader.unanswerable()).toEqual([5]);
    expect(reader.unanswerable()).toEqual([]);
  });
});

describe('a compaction', () => {
  it('that we asked for is no turn', () => {
    const { hear } = reading('copilot', new Map([[id, { what: 'compact', conversation: 's1', after: 100 }]]));
    expect(kinds(hear(chunk('Compacted.'), answer('end_turn')))).toEqual([
      'compaction-began',
      'compaction-ended',
    ]);
  });

  it('in a turn is told by the protocol, or by a tool that is none', () => {
    const { hear } = reading();
    const compaction = (status: string) => update('compaction_update', { compactionId: 'k', status });
    hear(chunk('x'));
    expect(kinds(hear(compaction('in_progress'), compaction('completed')))).toEqual([
      'compaction-began',
      'compaction-ended',
    ]);
    const claude = reading('claude-agent-acp');
    const tool = (kind: string, status: string) =>
      update(kind, { toolCallId: 'k', status, _meta: { claudeCode: { toolName: 'compact' } } });
    const facts = claude.hear(tool('tool_call', 'in_progress'), tool('tool_call_update', 'completed'));
    expect(kinds(facts)).toEqual(['prompt-submitted', 'compaction-began', 'compaction-ended']);
  });
});

it('a clear is proven by the new conversation', () => {
  const note: Note = { what: 'open', conversation: null, after: 100 };
  const { hear } = reading('unknown', new Map([['clear:s%3A1:a2', note]]));
  expect(hear({ id: 'clear:s%3A1:a2', result: { sessionId: 's2' } })).toEqual([
    expect.objectContaining({ is: 'context-ended', providerId: 's:1' }),
    expect.objectContaining({ is: 'agent-started', providerId: 's2', source: 'clear' }),
  ]);
});
