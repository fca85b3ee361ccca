import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readClaudeTranscript } from './transcript.ts';

const folder = join(import.meta.dirname, '../../../test/agents/transcripts/claude-2.1.325');

function factsIn(name: string) {
  const reader = readClaudeTranscript({ turnId: null });
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8').split('\n');
  return lines.flatMap((line) => reader.line(line)).filter(({ is }) => is !== 'spent');
}

const told = (name: string) => factsIn(name).map((fact) => fact.is);

const turnsIn = (name: string) =>
  new Set(factsIn(name).flatMap((fact) => ('turnId' in fact ? [fact.turnId] : [])));

/** The meters, with what stands on them at last. */
function spentIn(name: string) {
  const reader = readClaudeTranscript({ turnId: null });
  const lines = readFileSync(join(folder, `${name}.jsonl`), 'utf8').split('\n');
  const spent = lines.flatMap((line) => reader.line(line)).filter((fact) => fact.is === 'spent');
  return new Map(spent.map(({ meter, tokens }) => [meter, tokens]));
}

describe('the transcripts of Claude Code 2.1.325', () => {
  it('tell what each answer has used', () => {
    const spent = [...spentIn('prompt-and-end')];
    expect(spent.map(([meter]) => meter)).toEqual([
      expect.stringMatching(/^msg_/),
      expect.stringMatching(/^msg_/),
    ]);
    for (const [, tokens] of spent) expect(tokens).toMatchObject({ input: expect.any(Number), output: 20 });
  });

  it('tell a prompt and its end with the last words, under one turn id', () => {
    const [prompt, closing, end, ...rest] = factsIn('prompt-and-end');
    expect(rest).toEqual([]);
    expect(closing).toMatchObject({
      is: 'turn-closing',
      lastWords: (end as { lastWords: string }).lastWords,
    });
    expect(prompt).toMatchObject({ is: 'prompt-submitted', turnId: expect.any(String) });
    expect(end).toMatchObject({
      is: 'turn-ended',
      turnId: (prompt as { turnId: string }).turnId,
      lastWords: expect.any(String),
    });
  });

  it.each(['interrupt-streaming', 'interrupt-tool', 'permission-escape'])(
    '%s: the interrupt names its turn',
    (name) => {
      const facts = factsIn(name);
      const interrupt = facts.find((fact) => fact.is === 'turn-ended' && fact.end === 'interrupted');
      const prompt = facts.findLast((fact) => fact.is === 'prompt-submitted');
      expect(interrupt).toMatchObject({ turnId: (prompt as { turnId: string }).turnId });
    },
  );

  it('say nothing of an escape before any output but the prompt itself', () => {
    expect(told('escape-before-output').at(-1)).toBe('prompt-submitted');
  });

  it('tell no prompt where a compaction writes its summary and its command', () => {
    expect(told('compaction')).toEqual([]);
    expect(told('compaction-automatic')).toEqual(['prompt-submitted', 'turn-closing', 'turn-ended']);
  });

  it('tell a prompt that was typed so soon after a clear that the lines of the clear have its id, too', () => {
    const reader = readClaudeTranscript({ turnId: null });
    const lines = readFileSync(join(folder, 'clear-new-file.jsonl'), 'utf8').split('\n').filter(Boolean);
    const [prompt] = factsIn('clear-new-file');
    expect(prompt).toMatchObject({ is: 'prompt-submitted', text: 'first after clear' });
    const { turnId: promptId } = prompt as { turnId: string };
    const facts = lines.flatMap((line) => reader.line(JSON.stringify({ ...JSON.parse(line), promptId })));
    expect(facts.filter(({ is }) => is === 'prompt-submitted')).toEqual([prompt]);
  });

  it('tell a failed turn as failed, with the error', () => {
    expect(factsIn('failed-turn').at(-1)).toMatchObject({
      is: 'turn-ended',
      end: 'failed',
      lastWords: expect.stringContaining('API Error'),
    });
  });

  it('tell a text that the running turn took up under the id of that turn', () => {
    const facts = factsIn('enqueue-absorbed');
    expect(facts.map(({ is }) => is)).toEqual([
      'prompt-submitted',
      'prompt-enqueued',
      'prompt-absorbed',
      'turn-closing',
      'turn-ended',
    ]);
    expect(facts[1]).toMatchObject({ text: 'typed during the loop' });
    expect(turnsIn('enqueue-absorbed').size).toBe(1);
  });

  it('tell a text that was taken up after the end as a turn of its own', () => {
    expect(told('enqueue-taken-up-after-stop')).toEqual([
      'prompt-submitted',
      'prompt-enqueued',
      'turn-closing',
      'turn-closing',
      'turn-ended',
      'prompt-submitted',
      'turn-closing',
      'turn-ended',
    ]);
    expect(turnsIn('enqueue-taken-up-after-stop').size).toBe(2);
  });

  it('survive lines that are broken, foreign or of another kind', () => {
    const reader = readClaudeTranscript({ turnId: 't1' });
    for (const line of [
      '',
      '{',
      '"type":"user"',
      '{"type":"user"}',
      '{"type":"user","isSidechain":true,"sessionId":"s","promptId":"p","message":{"content":"x"}}',
      '[]',
      'null "type":"user"',
    ]) {
      expect(reader.line(line)).toEqual([]);
    }
    expect(reader.turnId).toBe('t1');
  });

  it('of a copy: says nothing of what was said in the original, though it stands there as its own', () => {
    const at = (seconds: number, line: object) =>
      JSON.stringify({ sessionId: 'copy', timestamp: new Date(seconds * 1_000).toISOString(), ...line });
    const turn = (seconds: number, text: string, words: string) => [
      at(seconds, { type: 'user', promptId: 'p1', message: { content: text } }),
      at(seconds, { type: 'assistant', message: { content: words, stop_reason: 'end_turn' } }),
      at(seconds, { type: 'system', subtype: 'turn_duration' }),
    ];
    const reader = readClaudeTranscript({ turnId: null, since: 10_000 });
    const told = [...turn(9, 'old', 'old words'), ...turn(11, 'new', 'new words')].flatMap(
      (line) => reader.line(line) ?? [],
    );
    expect(told).toMatchObject([
      { is: 'prompt-submitted', turnId: 'p1', text: 'new' },
      { is: 'turn-closing', lastWords: 'new words' },
      { is: 'turn-ended', turnId: 'p1', lastWords: 'new words' },
    ]);
  });
});
