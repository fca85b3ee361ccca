// The records of the benchmark: what counts as worse, and that no release leaves the page.
import { expect, it } from 'vitest';
// @ts-expect-error a script, without types
import { pageOf, regressions } from '../bench/records.mjs';

const figure = (value: number, more: object = {}) => ({
  name: 'send',
  what: 'send',
  value,
  unit: 'ms',
  ...more,
});
const release = (version: string, value: number) => ({
  version,
  at: '2026-11-18',
  machine: { processor: '2 × x', memory: '4 GiB', system: 'Linux', node: 'v20', tmux: 'tmux 3.3a' },
  load: [0.1, 0.1, 0.1],
  figures: [figure(value)],
});

it('a figure that is more than a fifth worse than in the last record is a regression', () => {
  const all = [release('0.1.0', 10), release('0.2.0', 100)];
  expect(regressions([figure(120)], all)).toEqual([]);
  expect(regressions([figure(121)], all)).toEqual(['send: 121 ms, was 100 ms in 0.2.0']);
  expect(regressions([figure(50)], all)).toEqual([]);
});

it('of what is better the higher it is, less is worse', () => {
  const rate = { unit: '/s' };
  const all = [{ ...release('0.1.0', 0), figures: [figure(1_000, rate)] }];
  expect(regressions([figure(800, rate)], all)).toHaveLength(1);
  expect(regressions([figure(2_000, rate)], all)).toEqual([]);
  const atLeast = { goal: { atLeast: 5 }, unit: 'x' };
  const met = [{ ...release('0.1.0', 0), figures: [figure(10, atLeast)] }];
  expect(regressions([figure(7, atLeast)], met)).toHaveLength(1);
});

it('a figure that is new says nothing', () => {
  expect(regressions([figure(1_000)], [])).toEqual([]);
});

it('every release stays on the page, the newest first', () => {
  const versions = ['0.1.0', '0.2.0', '0.3.0', '0.4.0', '0.5.0', '0.6.0', '0.7.0'];
  const page: string = pageOf(versions.map((version, i) => release(version, 10 + i)));
  expect(page.match(/^## \S+/gm)?.map((head) => head.slice(3).replace(',', ''))).toEqual(
    [...versions].reverse(),
  );
  expect(page).toContain('| send | 16 ms |  | 15 ms |  |');
});
