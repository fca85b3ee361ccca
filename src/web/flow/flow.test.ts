import { describe, expect, it } from 'vitest';
import type { EventView } from '../../protocol/event.ts';
import { arcPath, restingAt, wayTo } from './arc.ts';
import { sentIn, streamsOf } from './flow.ts';

let number = 0;
const event = (type: string, session_id: string, more: object): EventView =>
  ({ number: ++number, at: '2025-01-02T12:00:00Z', type, session_id, ...more }) as EventView;
const from = (id: string) => ({ kind: 'session', id, name: id });
const queued = (id: string, by: object, to: string) =>
  event('message', to, { message: id, state: 'queued', from: by, mode: 'sequential' });
const became = (id: string, to: string, state: string, why?: string) =>
  event('message', to, { message: id, state, ...(why && { why }) });

describe('the messages of a history', () => {
  it('are each there once, with their last state', () => {
    const events = [
      queued('m1', from('a'), 'b'),
      queued('m2', { kind: 'person' }, 'a'),
      became('m1', 'b', 'typed'),
      became('m2', 'a', 'held', 'a draft is in its composer'),
      became('m1', 'b', 'accepted'),
      became('older', 'b', 'answered'),
    ];
    expect(sentIn(events).map(({ id, from: by, to, state }) => [id, by, to, state])).toEqual([
      ['m1', 'a', 'b', 'accepted'],
      ['m2', 'person', 'a', 'held'],
    ]);
    expect(sentIn(events.slice(0, 3)).map(({ state }) => state)).toEqual(['typed', 'queued']);
  });

  it('that are notices come from the session that they are about', () => {
    const notice = event('notice-posted', 'worker', {
      message: 'm1',
      to: 'lead',
      about: 'turn-end',
      notice: 'n1',
    });
    const sent = queued('n1', { kind: 'sm' }, 'lead');
    for (const events of [
      [notice, sent],
      [sent, notice],
    ])
      expect(sentIn(events)).toMatchObject([{ from: 'worker', to: 'lead' }]);
    expect(sentIn([queued('n2', { kind: 'sm' }, 'lead')])).toMatchObject([{ from: 'sm' }]);
  });

  it('are counted by direction, where they are drawn; held is told', () => {
    const sent = sentIn([
      queued('m1', from('a'), 'child'),
      queued('m2', from('a'), 'b'),
      queued('m3', from('b'), 'a'),
      queued('m4', from('gone'), 'a'),
      became('m2', 'b', 'held', 'draft'),
    ]);
    const placeOf = (id: string) => ({ a: 'a', b: 'b', child: 'b' })[id];
    expect(streamsOf(sent, placeOf)).toEqual([
      { from: 'a', to: 'b', count: 2, isHeld: true },
      { from: 'b', to: 'a', count: 1, isHeld: false },
    ]);
  });
});

it('a dot begins where its arc begins, and ends where it stays', () => {
  for (const [one, other] of [
    [0, 3],
    [5, 1],
  ] as const) {
    const way = wayTo(one, other);
    expect(way.at(0)).toEqual({ x: 0, y: restingAt(one, 0).y - restingAt(other, 0).y });
    expect(way.at(-1)).toEqual({ x: 0, y: 0 });
  }
  expect(arcPath(0, 2)).not.toBe(arcPath(2, 0));
});
