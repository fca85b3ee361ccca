import { beforeEach, expect, it } from 'vitest';
import { virtualClock } from '../engine/virtual-clock.ts';
import { type Codes, createCodes } from './codes.ts';

let clock: ReturnType<typeof virtualClock>;
let codes: Codes;
let made = 0;
beforeEach(() => {
  clock = virtualClock();
  const hex = (length: number) => (++made).toString(16).padStart(length, '0');
  codes = createCodes(clock, { uuid: () => '', hex });
});

it('a code works once', () => {
  const { code } = codes.make();
  expect(code).toMatch(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/);
  expect(codes.redeem(code, 'a')).toBe('right');
  expect(codes.redeem(code, 'a')).toBe('wrong');
});

it('a code works as people type it', () => {
  const { code } = codes.make();
  expect(codes.redeem(` ${code.toLowerCase().replace('-', '').replaceAll('0', 'o')} `, 'a')).toBe('right');
});

it('a code works for two minutes', () => {
  const [early, late] = [codes.make(), codes.make()];
  clock.advance(119_999);
  expect(codes.redeem(early.code, 'a')).toBe('right');
  clock.advance(1);
  expect(codes.redeem(late.code, 'a')).toBe('wrong');
});

it('wrong codes make their sender wait, longer each time, and nobody else', () => {
  const { code } = codes.make();
  expect([1, 2, 3].map(() => codes.redeem('nonsense', 'guesser'))).toEqual(['wrong', 'wrong', 'wrong']);
  // The right one as well.
  expect(codes.redeem(code, 'guesser')).toEqual({ waitMs: 1_000 });
  clock.advance(1_000);
  expect(codes.redeem('nonsense', 'guesser')).toBe('wrong');
  expect(codes.redeem(code, 'guesser')).toEqual({ waitMs: 2_000 });
  expect(codes.redeem(code, 'other')).toBe('right');
});

it('nobody waits for more than a minute', () => {
  for (let i = 0; i < 40; i += 1) {
    codes.redeem('nonsense', 'guesser');
    clock.advance(60_000);
  }
  expect(codes.redeem('nonsense', 'guesser')).toBe('wrong');
  expect(codes.redeem('nonsense', 'guesser')).toEqual({ waitMs: 60_000 });
});
