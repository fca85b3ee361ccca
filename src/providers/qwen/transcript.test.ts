// What sm makes of the transcripts that Qwen Code 0.24.4 wrote.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../domain/core/fact.ts';
import { readQwenTranscript } from './transcript.ts';
import { qwenWords } from './transcript-words.ts';

const folder = join(import.meta.dirname, '../../../test/agents/transcripts/qwen-0.24.4');
const linesOf = (name: string) =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');

function told(name: string): { facts: Fact[]; turnId: string | null } {
  const reader = readQwenTranscript({ turnId: null });
  const facts = linesOf(name).flatMap((line) => reader.line(line));
  return { facts, turnId: reader.turnId };
}
const named = (facts: readonly Fact[], is: Fact['is']) => facts.filter((fact) => fact.is === is);
const conversation = 'd27defaf-7cef-4f8c-b5d2-904a70eebe5f';

describe("Qwen Code's transcript", () => {
  it('tells which turn took up a text that was given during a tool', () => {
    const { facts, turnId } = told('steer-in-tool');
    expect(turnId).toBe(`${conversation}########1`);
    expect(named(facts, 'prompt-absorbed')).toEqual([
      {
        is: 'prompt-absorbed',
        providerId: conversation,
        turnId,
        text: '[sm] from the user #95270312:\nby the way [[say noted]]',
      },
    ]);
    expect(facts.flatMap((fact) => (fact.is === 'activity' ? [fact.step] : []))).toEqual([
      'tool-began',
      'tool-ended',
    ]);
    expect(named(facts, 'turn-ended')).toEqual([]);
  });

  it('tells each prompt with its turn', () => {
    expect(named(told('cut-speaking').facts, 'prompt-submitted')).toMatchObject(
      [4, 5, 6, 7, 8].map((n) => ({ turnId: `${conversation}########${n}` })),
    );
    const [first] = named(told('steer-in-tool').facts, 'prompt-submitted');
    expect(first).toMatchObject({ text: '[sm] from the user #eab6a6ac:\nhello [[say ready]]' });
  });

  it('tells what each answer has used, once', () => {
    const spent = told('steer-in-tool').facts.filter((fact) => fact.is === 'spent');
    expect(spent.map(({ tokens }) => tokens.output)).toEqual([20, 20, 20]);
    expect(new Set(spent.map(({ meter }) => meter)).size).toBe(3);
  });

  it.each([
    ['cut-in-tool', `${conversation}########2`],
    ['denied', 'ccb68bae-4929-4a44-b708-4d4019aa9caf########4'],
  ])('tells that a turn was cut in a tool: %s', (name, turnId) => {
    expect(named(told(name).facts, 'turn-ended')).toEqual([
      { is: 'turn-ended', end: 'interrupted', providerId: turnId.split('#')[0], turnId },
    ]);
  });

  it('goes on with a turn of which only some calls were stopped', () => {
    const reader = readQwenTranscript({ turnId: 'c########7' });
    const result = (callId: string, status: string) =>
      JSON.stringify({ type: 'tool_result', sessionId: 'c', toolCallResult: { callId, status } });
    const parts = ['a', 'b'].map((id) => ({ functionCall: { id, name: 'edit' } }));
    const lines = [
      JSON.stringify({ type: 'assistant', sessionId: 'c', message: { parts } }),
      result('a', 'cancelled'),
      result('b', 'success'),
      result('b', 'cancelled'),
    ];
    expect(lines.flatMap((line) => reader.line(line)).map(({ is }) => is)).toEqual(Array(4).fill('activity'));
  });

  it('does not take the turns of agents inside it for its own', () => {
    const reader = readQwenTranscript({ turnId: 'c########1' });
    const event = { prompt_id: 'c#general-purpose-1#0', 'event.name': 'qwen-code.api_response' };
    reader.line(JSON.stringify({ type: 'system', sessionId: 'c', systemPayload: { uiEvent: event } }));
    expect(reader.turnId).toBe('c########1');
  });

  it('is read for words: what was typed, said, and given to tools', () => {
    const words = linesOf('denied').map(qwenWords).filter(Boolean);
    expect(words).toEqual([expect.stringContaining('touch asked-2'), 'use the other file', 'it is done']);
  });
});
