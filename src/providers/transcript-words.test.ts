// On transcripts of the real programs.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { wordsOfLine } from './transcript-words.ts';

const recorded = join(import.meta.dirname, '../../test/agents/transcripts');
const wordsIn = (provider: string, folder: string) =>
  readdirSync(join(recorded, folder))
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(recorded, folder, name), 'utf8').split('\n'))
    .map((line) => wordsOfLine(provider, line))
    .filter((text) => text !== '');
const folderOf = (provider: string) =>
  readdirSync(recorded).find((name) => name.startsWith(provider)) as string;

it.each(['claude', 'codex', 'copilot'])('%s: what was said can be read', (provider) => {
  const words = wordsIn(provider, folderOf(provider));
  expect(words.length).toBeGreaterThan(3);
  expect(words.every((text) => !text.startsWith('[sm] '))).toBe(true);
});

it('a call of a tool is read, what it answered is not', () => {
  const call = {
    type: 'assistant',
    message: { content: [{ type: 'tool_use', input: { command: 'make', more: ['x'] } }] },
  };
  const answer = { type: 'user', message: { content: [{ type: 'tool_result', content: 'long' }] } };
  expect(wordsOfLine('claude', JSON.stringify(call))).toBe('make\nx');
  expect(wordsOfLine('claude', JSON.stringify(answer))).toBe('');
  const codexCall = {
    type: 'response_item',
    payload: { type: 'function_call', arguments: '{"command":"make"}' },
  };
  const codexAnswer = { type: 'response_item', payload: { type: 'function_call_output', output: 'long' } };
  expect(wordsOfLine('codex', JSON.stringify(codexCall))).toContain('make');
  expect(wordsOfLine('codex', JSON.stringify(codexAnswer))).toBe('');
});

it('a line that is cut, or of an agent that keeps none, says nothing', () => {
  expect(wordsOfLine('claude', '{"type":"assistant","mess')).toBe('');
  expect(wordsOfLine('other', '{}')).toBe('');
});
