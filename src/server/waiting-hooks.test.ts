import { describe, expect, it } from 'vitest';
import { virtualClock } from '../engine/virtual-clock.ts';
import { createWaitingHooks, type WaitingHook } from './waiting-hooks.ts';

function aHook(takes = true): WaitingHook & { got: string[] } {
  const got: string[] = [];
  return { got, give: async (answer) => got.push(answer) > 0 && takes };
}

describe('an answer', () => {
  it('is handed to the hook that waits with that fact', async () => {
    const hooks = createWaitingHooks(virtualClock());
    const [one, two] = [aHook(), aHook()];
    hooks.arrive('f1', one);
    hooks.arrive('f2', two);
    expect(await hooks.hand('f2', 'yes')).toBe('taken');
    expect([one.got, two.got]).toEqual([[], ['yes']]);
  });

  it('waits for a hook that was heard and is on its way', async () => {
    const hooks = createWaitingHooks(virtualClock());
    hooks.announce('f1');
    const handed = hooks.hand('f1', 'yes');
    const hook = aHook();
    hooks.arrive('f1', hook);
    expect(await handed).toBe('taken');
    expect(hook.got).toEqual(['yes']);
  });

  it('does not wait for ever for one that never comes', async () => {
    const clock = virtualClock();
    const hooks = createWaitingHooks(clock);
    hooks.announce('f1');
    const handed = hooks.hand('f1', 'yes');
    clock.advance(5_000);
    expect(await handed).toBe('nobody');
    expect(await hooks.hand('f1', 'yes')).toBe('nobody');
  });

  it('reaches nobody when the hook has left, or leaves while it is given', async () => {
    const hooks = createWaitingHooks(virtualClock());
    hooks.arrive('f1', aHook())();
    expect(await hooks.hand('f1', 'yes')).toBe('nobody');
    hooks.arrive('f2', aHook(false));
    expect(await hooks.hand('f2', 'yes')).toBe('nobody');
    expect(await hooks.hand('never', 'yes')).toBe('nobody');
  });
});
