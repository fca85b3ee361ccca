// An enforced lock on a provider whose edits can be stopped: the agent is told who holds it and why, and goes on.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { is } from '../../support/talk.ts';
import { openStage, type Stage } from './stage.ts';
import type { ProviderUnderTest } from './suite.ts';

export function lockSuite(provider: ProviderUnderTest): void {
  describe(`locks and ${provider.name}`, () => {
    let stage: Stage;
    beforeAll(async () => {
      stage = await openStage(provider);
    }, 60_000);
    afterAll(() => stage?.close(), 60_000);

    const ended = is('turn ended');

    it('an edit in the workspace that another session has locked is denied, and one of its owner is not', async () => {
      const { daemon, folder } = stage;
      const file = (name: string) => join(folder, name);
      const owner = await stage.start(
        `lock [[bash sm lock moving everything --enforce]] [[edit ${file('own.txt')} mine]]`,
      );
      const other = await stage.start('wait [[say ready]]');
      await daemon.until(owner, ended);
      expect(readFileSync(file('own.txt'), 'utf8')).toBe('mine');
      const { number } = await daemon.until(other, ended);

      await daemon.call('POST', `/sessions/${other}/input`, {
        text: `edit [[edit ${file('other.txt')} theirs]]`,
      });
      const { last_words: words } = await daemon.until(other, ended, number);
      expect(existsSync(file('other.txt'))).toBe(false);
      expect(words).toContain(`(${owner}) has held the lock on ${folder} for`);
      expect(words).toContain('moving everything');

      const before = (await daemon.events(other)).at(-1)?.number ?? 0;
      expect(await daemon.sm('unlock', owner)).toMatchObject({ code: 0 });
      await daemon.call('POST', `/sessions/${other}/input`, {
        text: `edit [[edit ${file('other.txt')} theirs]]`,
      });
      await daemon.until(other, ended, before);
      expect(readFileSync(file('other.txt'), 'utf8')).toBe('theirs');
    });
  });
}
