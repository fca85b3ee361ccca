import { describe, expect, it } from 'vitest';
import { endedWith } from './panes.ts';

describe('what a process ended with', () => {
  const under = { boot: 'b1', tmux: '10@1' };

  it('is the machine, when it has booted since', () => {
    expect(endedWith(under, { boot: 'b2', tmux: null })).toBe('machine');
    expect(endedWith(under, { boot: 'b2', tmux: '10@1' })).toBe('machine');
  });

  it('is the tmux server, when none runs, or another one', () => {
    expect(endedWith(under, { boot: 'b1', tmux: null })).toBe('tmux');
    expect(endedWith(under, { boot: 'b1', tmux: '10@2' })).toBe('tmux');
    expect(endedWith({ boot: null, tmux: '10@1' }, { boot: null, tmux: null })).toBe('tmux');
  });

  it('is nothing bigger, when its server goes on', () => {
    expect(endedWith(under, { boot: 'b1', tmux: '10@1' })).toBeUndefined();
  });

  it('is known of a process from an older version only when no server runs', () => {
    expect(endedWith(null, { boot: 'b1', tmux: null })).toBe('tmux');
    expect(endedWith(null, { boot: 'b1', tmux: '10@1' })).toBeUndefined();
  });
});
