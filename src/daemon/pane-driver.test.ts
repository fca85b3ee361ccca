import { describe, expect, it } from 'vitest';
import { idleSession } from '../../test/support/session.ts';
import type { SubmitEffect } from '../ports/driver.ts';
import type { Card, Provider } from '../ports/provider.ts';
import type { Terminal, Typing } from '../ports/terminal.ts';
import { createPaneDriver } from './pane-driver.ts';

const { session } = idleSession().state;
const cursor = { x: 2, y: 20 };
const effect: SubmitEffect = { do: 'submit', text: 'hi', stash: false, erase: 0, cursor };

/** What reaches the terminal. */
async function submitted(keys: Card['keys'], change: Partial<SubmitEffect>) {
  const typings: Typing[] = [];
  const terminal = {
    type: async (_: string, typing: Typing) => {
      typings.push(typing);
      return 'typed';
    },
  } as unknown as Terminal;
  const provider = {
    keys,
    reach: { by: 'pane', typed: (text: string) => `${text}!` },
  } as unknown as Provider;
  const driver = createPaneDriver({
    terminal,
    provider: () => provider,
    hearOut: async () => {},
    answer: async () => 'nobody',
  });
  return { outcome: await driver.submit(session, { ...effect, ...change }), typings };
}

describe('what is typed into a pane', () => {
  it('goes with the keys of the agent, and as the agent wants it', async () => {
    const { outcome, typings } = await submitted(
      { erase: 'BSpace', stash: 'Tab' },
      { stash: true, erase: 1 },
    );
    expect(outcome).toBe('typed');
    const steps = [{ key: 'BSpace' }, { key: 'BSpace' }, { key: 'Tab' }, { paste: 'hi!' }, { key: 'Enter' }];
    expect(typings).toEqual([{ onlyIf: { cursor }, steps }]);
  });

  it.each([
    ['no key puts the draft aside', { erase: 'C-u' } as const, { stash: true }],
    ['no key erases what stands there', null, { erase: 1 }],
    ['nobody has seen a cursor', { erase: 'C-u' } as const, { cursor: null }],
  ])('is nothing when %s', async (_, keys, change) => {
    expect(await submitted(keys, change)).toEqual({ outcome: 'changed', typings: [] });
  });
});
