import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hasPrompt, readCodexRollout } from './rollout.ts';

const folder = join(import.meta.dirname, '../../../test/agents/transcripts/codex-0.166.0');
const file = (name: string) => join(folder, `${name}.jsonl`);

function factsIn(name: string) {
  const reader = readCodexRollout({ turnId: null, providerId: 'thread' });
  return readFileSync(file(name), 'utf8')
    .split('\n')
    .flatMap((line) => reader.line(line));
}

/** Without what was used up. */
const told = (name: string) =>
  factsIn(name)
    .filter(({ is }) => is !== 'spent')
    .map((fact) => ('step' in fact && fact.step) || fact.is);

describe('the rollouts of Codex 0.166.0', () => {
  it('tell a prompt, its tool and its end with the last words, under one turn id', () => {
    const facts = factsIn('prompt-tool-end');
    expect(told('prompt-tool-end').filter((is) => is !== 'usage')).toEqual([
      'prompt-submitted',
      'tool-began',
      'activity',
      'tool-ended',
      'turn-ended',
    ]);
    const turns = new Set(facts.flatMap((fact) => ('turnId' in fact ? [fact.turnId] : [])));
    expect([...turns]).toEqual([expect.any(String)]);
    expect(facts.at(-1)).toMatchObject({ lastWords: expect.stringContaining('TOOL OUT') });
  });

  it('name the command that has run, by which an answered question is known', () => {
    const ran = factsIn('prompt-tool-end').find((fact) => fact.is === 'activity' && !fact.step);
    expect(ran).toMatchObject({ subject: expect.stringContaining('env | sort') });
  });

  it('tell how full the context is, of the window that the agent leaves itself', () => {
    expect(factsIn('prompt-tool-end').find((fact) => fact.is === 'usage')).toMatchObject({
      usage: { tokens: expect.any(Number), windowSize: 95_000, model: 'fake-model' },
    });
  });

  it('tell what the thread has used, and what it had used before the last step', () => {
    const spent = factsIn('prompt-tool-end').filter((fact) => fact.is === 'spent');
    expect(spent.length).toBeGreaterThan(1);
    for (const [i, { tokens, before, meter, model }] of spent.entries()) {
      expect({ meter, model }).toEqual({ meter: 'thread', model: 'fake-model' });
      if (i > 0) expect(before).toEqual(spent[i - 1]?.tokens);
      expect(tokens.output).toBeGreaterThan(before.output);
    }
  });

  it('say of a text that was typed during a turn that the turn took it up', () => {
    for (const name of ['steer-in-tool', 'steer-cuts-speech'])
      expect(told(name).filter((is) => is.startsWith('prompt') || is.startsWith('turn'))).toEqual([
        'prompt-submitted',
        'prompt-absorbed',
        'turn-ended',
      ]);
  });

  it('tell of an interrupt with its turn, and of a failure with the words of the model', () => {
    const [prompt] = factsIn('interrupted').filter((fact) => fact.is === 'prompt-submitted');
    expect(factsIn('interrupted').at(-1)).toMatchObject({
      is: 'turn-ended',
      end: 'interrupted',
      turnId: prompt?.turnId,
    });
    expect(factsIn('failed-turn').at(-1)).toMatchObject({
      is: 'turn-ended',
      end: 'failed',
      lastWords: 'fake error 400',
    });
  });

  it('a compaction is no turn', () => {
    expect(new Set(told('compaction'))).toEqual(new Set(['usage', 'compaction-ended']));
  });

  it('broken lines, and those of a thread that nobody has named, say nothing', () => {
    const reader = readCodexRollout({ turnId: null, providerId: null });
    expect(reader.line('{"type":"compacted","payload":{}}')).toEqual([]);
    expect(
      readCodexRollout({ turnId: null, providerId: 'thread' }).line('{"type":"compacted","payl'),
    ).toEqual([]);
  });

  it('a thread can be resumed if it has a prompt', async () => {
    expect(await hasPrompt(file('interrupted'))).toBe(true);
    expect(await hasPrompt(file('compaction'))).toBe(false);
    expect(await hasPrompt(null)).toBe(false);
  });
});
