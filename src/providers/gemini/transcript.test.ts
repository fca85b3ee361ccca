import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readGeminiTranscript } from './transcript.ts';

const file = join(import.meta.dirname, '../../../test/agents/transcripts/gemini-0.61.0/turns.jsonl');

const facts = () => {
  const reader = readGeminiTranscript({ turnId: null, providerId: 'c' });
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => reader.line(line));
};

describe('a transcript of Gemini CLI 0.61.0', () => {
  it('names each turn by its prompt, and tells how it was cut or has failed', () => {
    const told = facts().flatMap((fact): unknown[] =>
      fact.is === 'prompt-submitted'
        ? [['prompt', fact.text]]
        : fact.is === 'turn-closing'
          ? [['words', fact.lastWords?.slice(0, 10)]]
          : fact.is === 'turn-ended'
            ? [[fact.end, 'lastWords' in fact ? fact.lastWords : null]]
            : [],
    );
    expect(told).toEqual([
      ['prompt', '[sm] from the user #abc:\nhello there'],
      ['words', 'FAKE REPLY'],
      ['prompt', 'SLOW 9FAIL 400'],
      ['words', 'word0 word'],
      ['prompt', 'RUN sleep 1; echo done > made'],
      ['words', 'TOOL OUT: '],
      ['prompt', 'SLOW 9'],
      ['interrupted', null],
      ['prompt', 'FAIL 400'],
      ['failed', 'fake error 400'],
    ]);
  });

  it('ends the turn that was named last', () => {
    const all = facts();
    const cut = all.findIndex((fact) => fact.is === 'turn-ended');
    const prompt = all.slice(0, cut).findLast((fact) => fact.is === 'prompt-submitted');
    expect(all[cut]).toMatchObject({ turnId: (prompt as { turnId: string }).turnId });
  });

  it('counts an answer once that is written twice', () => {
    const spent = facts().flatMap((fact) => (fact.is === 'spent' ? [fact] : []));
    const meters = new Map(spent.map(({ meter, tokens }) => [meter, tokens]));
    expect(spent.length).toBeGreaterThan(meters.size);
    expect([...meters.values()][0]).toEqual({ input: 1010, cacheRead: 0, cacheWrite: 0, output: 20 });
  });
});
