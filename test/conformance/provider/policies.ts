// Rules for permissions on every provider that asks: what a rule allows goes through without a question, what it denies is
// refused in its words, also where the agent would not have asked, and everything else is asked.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventName } from '../../../src/protocol/event-name.ts';
import { is } from '../../support/talk.ts';
import { type Stage, stageOn } from './stage.ts';
import type { ProviderUnderTest, Setup } from './suite.ts';

const policies = [
  { allow: 'Bash(touch allowed*)' },
  { deny: 'Bash(touch denied*)', reason: 'Use the other file.' },
];

export function policySuite(provider: ProviderUnderTest): void {
  describe(`rules and ${provider.name}`, () => {
    let setup: Setup;
    let asking: Stage;
    let trusting: Stage;
    beforeAll(async () => {
      setup = await provider.setup();
      const ruled = ({ config, ...rest }: Setup) => ({ ...rest, config: { ...config, policies } });
      asking = await stageOn(provider, ruled(provider.asking(setup)));
      trusting = await stageOn(provider, ruled(setup));
    }, 120_000);
    afterAll(async () => {
      await asking?.close();
      await trusting?.close();
      await setup?.dispose?.();
    }, 120_000);

    afterEach(async () => {
      if (!provider.heavy) return;
      await asking.tidy();
      await trusting.tidy();
    }, 60_000);

    const there = (stage: Stage, name: string) => existsSync(join(stage.folder, name));
    const ended = is('turn ended', { end: 'ended' });
    const events = async (stage: Stage, id: string) => (await stage.daemon.events(id)).map(eventName);

    it.skipIf(provider.capabilities.allows === false)('what a rule allows is not asked', async () => {
      const id = await asking.start('do it [[bash touch allowed-1]] [[say it is done]]');
      expect((await asking.daemon.until(id, ended)).last_words).toContain('it is done');
      expect(there(asking, 'allowed-1')).toBe(true);
      expect(await events(asking, id)).toContain('question ruled');
      expect(await events(asking, id)).not.toContain('question asked');
    });

    it('what a rule denies is refused in its words, and the turn goes on', async () => {
      const id = await asking.start('do it [[bash touch denied-1]]');
      const { last_words: words } = await asking.daemon.until(id, ended);
      if (provider.capabilities.takesWords !== false)
        expect(words).toMatch(
          /Denied by rule config\.yaml:1 of the user: \w+: touch denied-1\. Use the other file\./,
        );
      expect(there(asking, 'denied-1')).toBe(false);
      expect(await events(asking, id)).toContain('question ruled');
      expect(await events(asking, id)).not.toContain('question asked');
    });

    it('what only begins like an allowed command is asked', async () => {
      const id = await asking.start('do it [[bash touch allowed-2 && touch chained]]');
      await asking.daemon.until(id, is('question asked', { kind: 'permission' }));
      expect(await events(asking, id)).not.toContain('question ruled');
      expect([there(asking, 'allowed-2'), there(asking, 'chained')]).toEqual([false, false]);
    });

    it.skipIf(!provider.capabilities.stops)('a denial holds also where the agent does not ask', async () => {
      const id = await trusting.start('do it [[bash cd . && touch denied-2]]');
      const { last_words: words } = await trusting.daemon.until(id, ended);
      expect(words).toContain('Denied by rule config.yaml:1 of the user');
      expect(there(trusting, 'denied-2')).toBe(false);
      expect(await events(trusting, id)).toContain('question ruled');
    });
  });
}
