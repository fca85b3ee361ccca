import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Fact } from '../../domain/core/fact.ts';
import { readCopilotEvents } from './events.ts';
import { copilotHookFacts } from './hooks.ts';

const folder = join(import.meta.dirname, '../../../test/agents/transcripts/copilot-1.0.102');
const linesOf = (name: string) =>
  readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n');

function factsOf(name: string): Fact[] {
  const reader = readCopilotEvents({ providerId: 'c1', turnId: null });
  return linesOf(name).flatMap((line) => reader.line(line));
}

/** Without what only says that something goes on, or how much was used. */
const toldIn = (name: string): Fact[] =>
  factsOf(name).filter(({ is }) => is !== 'activity' && is !== 'spent' && is !== 'usage');

describe('the events of Copilot 1.0.102', () => {
  it('a turn with a tool: its prompt, its last words, and its end', () => {
    const [prompt, closing, end, ...more] = toldIn('prompt-tool-end');
    expect(prompt).toMatchObject({
      is: 'prompt-submitted',
      providerId: 'c1',
      text: 'do [[bash touch asked-for]] [[say it is done]]',
    });
    const turnId = prompt?.is === 'prompt-submitted' ? prompt.turnId : null;
    expect(turnId).toMatch(/^prompt-\d+$/);
    expect(closing).toEqual({ is: 'turn-closing', providerId: 'c1', turnId, lastWords: 'it is done' });
    expect(end).toEqual({
      ...{ is: 'turn-ended', providerId: 'c1', turnId },
      ...{ end: 'ended', lastWords: 'it is done', stillRuns: 0 },
    });
    expect(more).toEqual([]);
    const going = factsOf('prompt-tool-end').filter(({ is }) => is === 'activity');
    expect(going.length).toBeGreaterThan(2);
    expect(going.every((fact) => fact.is === 'activity' && fact.turnId === turnId)).toBe(true);
  });

  it('the hook of a prompt and the events name the same turn', () => {
    const { input } = (
      JSON.parse(linesOf('queued')[0] as string) as { data: { input: { timestamp: number } } }
    ).data;
    const [prompt] = toldIn('queued');
    const told = copilotHookFacts({
      ...{ hook_event_name: 'UserPromptSubmit', session_id: 'c1', prompt: 'first [[sleep 3]]' },
      timestamp: new Date(input.timestamp).toISOString(),
    });
    expect(told).toEqual([prompt]);
  });

  it('tells how full the context is, and what was used, after every answer', () => {
    const [usage, spent] = factsOf('prompt-tool-end').filter(({ is }) => is === 'usage' || is === 'spent');
    expect(usage).toEqual({
      ...{ is: 'usage', providerId: 'c1' },
      usage: {
        ...{ percentage: 7.1805, tokens: 14_361, windowSize: 200_000 },
        ...{ model: 'standin-model', costUsd: null },
      },
    });
    expect(spent).toMatchObject({
      is: 'spent',
      meter: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tokens: { input: 14_361, cacheRead: 0, cacheWrite: 0, output: 20 },
      model: 'standin-model',
    });
  });

  it('an interrupt ends the turn, before any answer and in a tool', () => {
    for (const name of ['interrupted', 'interrupted-tool']) {
      const [prompt, end, ...more] = toldIn(name);
      const turnId = prompt?.is === 'prompt-submitted' ? prompt.turnId : null;
      expect(end).toEqual({ is: 'turn-ended', end: 'interrupted', providerId: 'c1', turnId });
      expect(more).toEqual([]);
    }
  });

  it('an error of the model ends the turn with its words', () => {
    expect(toldIn('failed-turn').at(-1)).toMatchObject({
      ...{ is: 'turn-ended', end: 'failed', lastWords: '400 no such thing' },
    });
  });

  it('a question is told with what it is about; a cancelled one ends the turn', () => {
    const [, question, end] = toldIn('permission-escaped');
    expect(question).toMatchObject({
      is: 'permission-asked',
      subject: expect.stringMatching(/^toolu_/),
      text: 'shell: touch by-hook-1',
    });
    expect(end).toMatchObject({ is: 'turn-ended', end: 'interrupted' });
  });

  it('an answer is heard by the name of the call that it is about', () => {
    const facts = factsOf('permission-answered');
    const asked = facts.findIndex(({ is }) => is === 'permission-asked');
    const question = facts[asked];
    expect(question).toMatchObject({ text: 'write: /workspace/new.txt' });
    const subject = question?.is === 'permission-asked' ? question.subject : null;
    expect(facts[asked + 1]).toMatchObject({ is: 'activity', subject });
  });

  it('what a hook has answered was no question', () => {
    expect(toldIn('permission-by-hook').map(({ is }) => is)).not.toContain('permission-asked');
  });

  it('a prompt that was queued begins a turn of its own', () => {
    expect(toldIn('queued').map((fact) => (fact.is === 'turn-ended' ? fact.end : fact.is))).toEqual([
      ...['prompt-submitted', 'turn-closing', 'ended'],
      ...['prompt-submitted', 'turn-closing', 'ended'],
    ]);
    const turns = toldIn('queued').flatMap((fact) => (fact.is === 'turn-ended' ? [fact.turnId] : []));
    expect(new Set(turns).size).toBe(2);
  });

  it('a prompt that was given in a tool belongs to the turn that runs', () => {
    const [prompt, first, second] = toldIn('steered');
    const turnId = prompt?.is === 'prompt-submitted' ? prompt.turnId : null;
    expect(first).toEqual({
      ...{ is: 'prompt-absorbed', providerId: 'c1', turnId },
      text: 'by the way [[say two]]',
    });
    expect(second).toMatchObject({ is: 'prompt-absorbed', turnId, text: 'and another' });
    // Both of its commands were moved to the background for that.
    expect(toldIn('steered').at(-1)).toMatchObject({ is: 'turn-ended', turnId, stillRuns: 2 });
  });

  it('a hook of the user that makes it go on does so with another prompt', () => {
    expect(toldIn('stop-blocked').map(({ is }) => is)).toEqual([
      ...['prompt-submitted', 'turn-closing', 'prompt-submitted', 'turn-closing', 'prompt-submitted'],
      ...['turn-closing', 'turn-ended'],
    ]);
  });

  it('agents inside the agent have prompts and ends of their own, which are not the turn’s', () => {
    expect(toldIn('agent-inside').map(({ is }) => is)).toEqual([
      ...['prompt-submitted', 'turn-closing', 'turn-ended'],
    ]);
    // But what they use up is used up.
    expect(factsOf('agent-inside').filter(({ is }) => is === 'spent')).toHaveLength(3);
    expect(factsOf('agent-inside').filter(({ is }) => is === 'usage')).toHaveLength(2);
  });

  it('a command that goes on is told with the end; when it is done, a turn begins by itself', () => {
    const ends = toldIn('background').flatMap((fact) => (fact.is === 'turn-ended' ? [fact] : []));
    expect(ends).toMatchObject([
      { end: 'ended', lastWords: 'started it', stillRuns: 1 },
      { end: 'ended', stillRuns: 0 },
    ]);
    expect(toldIn('background')[3]).toMatchObject({
      is: 'prompt-submitted',
      text: expect.stringContaining('<system_notification>'),
    });
  });

  it('a compaction ends with what is left of the context', () => {
    expect(factsOf('compaction')).toMatchObject([
      { is: 'compaction-ended' },
      { is: 'usage', usage: { tokens: 12_474, windowSize: 200_000 } },
    ]);
  });

  it('what is cut, or of no conversation, says nothing', () => {
    const line = linesOf('interrupted').find((each) => each.includes('user.message')) as string;
    expect(readCopilotEvents({ providerId: 'c1', turnId: null }).line(line.slice(0, -20))).toEqual([]);
    expect(readCopilotEvents({ providerId: null, turnId: null }).line(line)).toEqual([]);
  });
});
