import { expect, it } from 'vitest';
import type { TypedView } from '../protocol/typing.ts';
import { createTypist } from './typist.ts';

function slowTypist() {
  const sent: TypedView[][] = [];
  const answers: { done(): void; fail(error: Error): void }[] = [];
  const told: (string | null)[] = [];
  const typist = createTypist(
    (typed) => {
      sent.push(typed);
      return new Promise((done, fail) => answers.push({ done, fail }));
    },
    (problem) => told.push(problem),
  );
  return { sent, told, typist, answer: () => answers.shift() };
}
const settled = () => new Promise((resolve) => setImmediate(resolve));

it('keeps the order, and sends what came meanwhile in one piece', async () => {
  const { sent, typist, answer } = slowTypist();
  typist.type({ text: 'h' });
  for (const letter of 'ello') typist.type({ text: letter });
  typist.type({ key: 'Enter' }, { text: 'x' });
  expect(sent).toEqual([[{ text: 'h' }]]);
  answer()?.done();
  await settled();
  expect(sent.slice(1)).toEqual([[{ text: 'ello' }, { key: 'Enter' }, { text: 'x' }]]);
});

it('drops what was to follow something that was not typed', async () => {
  const { sent, told, typist, answer } = slowTypist();
  typist.type({ text: 'rm ' });
  typist.type({ text: 'x' }, { key: 'Enter' });
  answer()?.fail(new Error('gone'));
  await settled();
  expect(sent).toHaveLength(1);
  expect(told).toEqual(['gone']);
  typist.type({ text: 'y' });
  expect(sent).toHaveLength(2);
});
