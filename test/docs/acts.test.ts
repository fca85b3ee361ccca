import { describe, expect, it } from 'vitest';
import { groups } from '../../src/cli/commands.ts';
import { acts, general, typed } from '../../src/faces/acts.ts';
import { cards } from '../../src/providers/cards.ts';
import { generalActs, pageActs } from '../../src/web/acts.ts';

const commands = groups.flatMap(({ entries }) => Object.keys(entries));
/** `sm claude` and the like are `sm spawn` with a terminal. */
const starts = cards.map(({ name }) => name);
const ours = [...acts, ...general].map(({ command }) => command);

describe('what can be done from a face', () => {
  it('is a command of sm, and every command has its key or a reason to be typed', () => {
    expect([...ours, ...Object.keys(typed), ...starts].sort()).toEqual([...commands].sort());
  });

  it('can be done on the page', () => {
    expect(Object.keys(pageActs).sort()).toEqual(acts.map(({ command }) => command).sort());
    expect(Object.keys(generalActs).sort()).toEqual(general.map(({ command }) => command).sort());
  });

  it('has a key of its own', () => {
    const keys = [...acts, ...general].map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
  });
});
