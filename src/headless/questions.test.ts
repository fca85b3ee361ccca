import { expect, it } from 'vitest';
import type { RequestId } from './connection.ts';
import { inTurn } from './questions.ts';
import type { Told } from './reader.ts';

const told = (subject: string): Told[] => [
  { fact: { is: 'activity', providerId: 'c', turnId: null, subject } },
];
const asking = () =>
  inTurn<string>({ asked: (_, what) => told(`asks ${what}`), over: (id: RequestId) => told(`over ${id}`) });

it('tells one question at a time, in their order', () => {
  const questions = asking();
  expect(questions.ask(1, 'one')).toEqual(told('asks one'));
  expect(questions.ask(2, 'two')).toEqual([]);
  expect(questions.over(1)).toEqual([...told('over 1'), ...told('asks two')]);
  expect(questions.over(2)).toEqual(told('over 2'));
});

it('says nothing of one that is over before it was told, or that nobody asks', () => {
  const questions = asking();
  questions.ask(1, 'one');
  questions.ask(2, 'two');
  expect([questions.over(2), questions.over(7), questions.over(null)]).toEqual([[], [], []]);
  expect(questions.over(1)).toEqual(told('over 1'));
});

it('forgets those that ended with their turn', () => {
  const questions = asking();
  questions.ask(1, 'one');
  questions.ask(2, 'two');
  questions.drop((what) => what === 'one');
  expect([...questions.open.keys()]).toEqual([2]);
  questions.drop();
  expect(questions.ask(3, 'three')).toEqual(told('asks three'));
});
