import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDueTimes } from './due-times.ts';
import { virtualClock } from './virtual-clock.ts';

function dueTimes() {
  const clock = virtualClock(0);
  const fired: { key: string; at: number }[] = [];
  const due = createDueTimes(clock, (key) => fired.push({ key, at: clock.now() }));
  return { clock, due, fired };
}

describe('due times', () => {
  it('fire once, at their time, in their order, with one timer for all', () => {
    const { clock, due, fired } = dueTimes();
    due.set('b', 200);
    due.set('a', 100);
    due.set('c', 300);
    expect(clock.pending).toBe(1);
    clock.advance(1_000);
    expect(fired).toEqual([
      { key: 'a', at: 100 },
      { key: 'b', at: 200 },
      { key: 'c', at: 300 },
    ]);
    expect(clock.pending).toBe(0);
  });

  it('can be moved and taken away', () => {
    const { clock, due, fired } = dueTimes();
    due.set('a', 100);
    due.set('a', 500);
    due.set('b', 100);
    due.set('b', null);
    clock.advance(499);
    expect(fired).toEqual([]);
    clock.advance(1);
    expect(fired).toEqual([{ key: 'a', at: 500 }]);
  });

  it('that lie in the past fire at once', () => {
    const { clock, due, fired } = dueTimes();
    clock.advance(1_000);
    due.set('a', 10);
    clock.advance(0);
    expect(fired).toHaveLength(1);
  });

  it('are checked at least every minute, because clocks jump and machines sleep', () => {
    const { clock, due, fired } = dueTimes();
    due.set('a', 40 * 24 * 3_600_000);
    clock.advance(120_000);
    expect(Math.max(...clock.delays)).toBe(60_000);
    clock.jump(40 * 24 * 3_600_000);
    clock.advance(60_000);
    expect(fired).toHaveLength(1);
  });

  it('do not fire early, nor twice, when the clock goes back', () => {
    const { clock, due, fired } = dueTimes();
    due.set('a', 1_000);
    clock.advance(500);
    clock.jump(-400);
    clock.advance(500);
    expect(fired).toEqual([]);
    clock.advance(400);
    expect(fired).toHaveLength(1);
    clock.jump(-1_000);
    clock.advance(5_000);
    expect(fired).toHaveLength(1);
  });

  it('may be set again by what they fire', () => {
    const clock = virtualClock(0);
    let count = 0;
    const due = createDueTimes(clock, (key) => {
      count += 1;
      due.set(key, clock.now() + 10);
    });
    due.set('a', 10);
    clock.advance(100);
    expect(count).toBe(10);
  });

  it('of a thousand sessions cost one timer and little room, however often they move', () => {
    const { clock, due, fired } = dueTimes();
    for (let round = 0; round < 20; round += 1) {
      for (let i = 0; i < 1_000; i += 1) due.set(`s${i}`, 10_000 + ((i * 7_919 + round) % 1_000));
    }
    expect(clock.pending).toBe(1);
    clock.advance(11_000);
    expect(fired).toHaveLength(1_000);
    expect(fired.every(({ at }, i) => i === 0 || at >= (fired[i - 1] as { at: number }).at)).toBe(true);
  });

  it('are silent once stopped, whatever is set afterwards', () => {
    const { clock, due, fired } = dueTimes();
    due.set('a', 100);
    due.stop();
    due.set('b', 50);
    clock.advance(1_000);
    expect(fired).toEqual([]);
    expect(clock.pending).toBe(0);
  });

  it('behave like a plain map that is searched for what is due', () => {
    const change = fc.tuple(fc.nat(5), fc.option(fc.nat(300), { nil: null }), fc.nat(60));
    fc.assert(
      fc.property(fc.array(change, { maxLength: 80 }), (changes) => {
        const { clock, due, fired } = dueTimes();
        const model = new Map<string, number>();
        const expected: string[] = [];
        for (const [n, at, pause] of changes) {
          due.set(`k${n}`, at);
          if (at === null) model.delete(`k${n}`);
          else model.set(`k${n}`, at);
          clock.advance(pause);
          const over = [...model].filter(([, time]) => time <= clock.now());
          for (const [key, time] of over) {
            model.delete(key);
            expected.push(`${key}@${time}`);
          }
        }
        // Those that are due at the same time may come in any order.
        expect(fired.map(({ key }) => key).sort()).toEqual(expected.map((each) => each.split('@')[0]).sort());
      }),
      { numRuns: 500 },
    );
  });
});
