import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Setup } from '../ports/provider.ts';
import { configuredCard } from './acp/configured.ts';
import { likenesses } from './acp/known.ts';
import { cardOf, configurable, agents as known, cards as registered, sectionOf } from './cards.ts';
import { loadProvider } from './load.ts';
import { mannersAmong } from './manners.ts';

/** As the configuration names them: each that is known, and one that is not. */
const configured = [...likenesses, 'some-agent'].map((command) =>
  configuredCard(`my-${command}`, { command, like: null }),
);
const cards = [...registered, ...configured];
const agents = [...known, ...configured];
const mannersOf = mannersAmong(cards);

const setup: Setup = {
  command: 'not-there',
  args: [],
  env: {},
  defaultModel: null,
  hooksDir: '/hooks',
  dist: '/dist',
  answerWaitSeconds: 0,
  sessionDir: ({ id }) => join('/sessions', id),
};

describe('the registry', () => {
  it('has every folder that holds a provider, and no other', () => {
    const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
    const folders = files.flatMap((file) => /^([^/]+)\/provider\.ts$/.exec(file)?.[1] ?? []);
    expect(folders.sort()).toEqual([...registered, configurable].map(({ name }) => name).sort());
  });

  describe.each(cards)('$name', (card) => {
    it('has its code in the folder of its name', async () => {
      expect(await loadProvider(card, setup)).toMatchObject({ ...card, locate: expect.any(Function) });
    });

    it('is reached through a pane exactly if it says that it is typed to, and has one then', async () => {
      const { reach, history } = await loadProvider(card, setup);
      const { typed, pane, adopt } = card.capabilities;
      expect(reach.by === 'pane').toBe(typed);
      expect(pane || !typed).toBe(true);
      expect(history !== undefined).toBe(adopt);
    });

    it('has a key for what it says it can do with a draft', () => {
      expect(card.keys?.stash !== undefined).toBe(card.capabilities.stash);
      expect(card.keys !== null).toBe(card.capabilities.typed);
    });

    it('has a twin that has it, and one of the two has a terminal', () => {
      if (card.twin === undefined) return;
      const twin = cardOf(card.twin);
      expect(twin?.twin).toBe(card.name);
      expect(twin?.capabilities.pane).toBe(!card.capabilities.pane);
    });

    it('has the manners that it declares', () => {
      const { midTurn, stash, handoff, tellsCost } = card.capabilities;
      expect(mannersOf(card.name)).toEqual({
        ...{ midTurn, stash, handoff, tellsCost, commandTo: card.commandTo },
        interruptedOnce: card.name === 'copilot',
      });
    });
  });

  it.each(agents)('$name says what to do when its program is not there', async (card) => {
    const { locate } = await loadProvider(card, setup);
    expect(await locate('/nowhere')).toEqual({
      missing: expect.stringMatching(
        `^not-there was not found on the PATH\\. Install it.*, or set ${sectionOf(card)}\\.command in the configuration\\.$`,
      ),
    });
  });
});
