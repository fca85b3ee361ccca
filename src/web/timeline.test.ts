import { expect, it } from 'vitest';
import type { EventView } from '../protocol/event.ts';
import { timelineOf } from './timeline.ts';

let number = 0;
const event = (seconds: number, type: string, more: object): EventView =>
  ({
    number: ++number,
    session_id: 's',
    at: new Date(seconds * 1000).toISOString(),
    type,
    ...more,
  }) as EventView;

it('has a bar for each turn, with its end, and a tick for what happened', () => {
  const events = [
    event(0, 'session', { step: 'launched' }),
    event(1, 'message', { state: 'accepted', message: 'm1' }),
    event(1, 'turn', { step: 'began', turn: 't1' }),
    event(3, 'question', { step: 'asked' }),
    event(5, 'turn', { step: 'ended', turn: 't1', end: 'ended' }),
    event(7, 'turn', { step: 'began', turn: 't2' }),
  ];
  expect(timelineOf(events, 10_000)).toMatchObject({
    from: 0,
    to: 10_000,
    turns: [
      { from: 1_000, to: 5_000, end: 'ended' },
      { from: 7_000, to: 10_000, end: 'running' },
    ],
    ticks: [{ is: 'session' }, { at: 1_000, is: 'message' }, { at: 3_000, is: 'question' }],
  });
});

it('draws no turn whose beginning is not there, and nothing without events', () => {
  expect(timelineOf([event(5, 'turn', { step: 'ended', end: 'ended' })], 6_000)?.turns).toEqual([]);
  expect(timelineOf([], 0)).toBeNull();
});
