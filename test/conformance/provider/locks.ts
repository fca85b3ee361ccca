// An enforced lock on a provider whose edits can be stopped: the agent is told who holds it and why, and goes on.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventView } from '../../../src/protocol/session.ts';
import { startTestDaemon, type TestDaemon } from '../../support/daemon.ts';
import type { ProviderUnderTest } from './suite.ts';

export function lockSuite(provider: ProviderUnderTest): void {
  describe(`locks and ${provider.name}`, () => {
    let daemon: TestDaemon;
    let setup: Awaited<ReturnType<ProviderUnderTest['setup']>>;

    beforeAll(async () => {
      setup = await provider.setup();
      daemon = await startTestDaemon(setup.config ? { config: setup.config } : {});
    }, 60_000);
    afterAll(async () => {
      await daemon?.dispose();
      await setup?.dispose?.();
    }, 60_000);

    const ended = ({ type }: EventView) => type === 'turn-ended';

    it('an edit in the workspace that another session has locked is denied, and one of its owner is not', async () => {
      const folder = setup.workingDir ?? daemon.work;
      const spawn = async (prompt: string): Promise<string> => {
        const { status, body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
          prompt,
          provider: provider.name,
          working_dir: folder,
          ...(setup.agentEnv && { env: setup.agentEnv }),
        });
        expect(status, JSON.stringify(body)).toBe(200);
        return body.session_id;
      };
      const file = (name: string) => join(folder, name);
      const owner = await spawn(
        `lock [[bash sm lock moving everything --enforce]] [[edit ${file('own.txt')} mine]]`,
      );
      const other = await spawn('wait [[say ready]]');
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
