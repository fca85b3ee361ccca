// Which version an agent is, also of one that does not say it when it is asked.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startIdle } from '../support/talk.ts';

const agent = join(import.meta.dirname, '../../dist/scripted-agent.cjs');
let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());

/** A `claude` that does this when it is asked for its version, and is the scripted agent otherwise. */
function claudeThat(name: string, answers: string) {
  const bin = join(daemon.work, `bin-${name}`);
  mkdirSync(bin);
  writeFileSync(
    join(bin, 'claude'),
    `#!/bin/sh\ncase "$*" in *--version*) ${answers};; esac\nexec ${process.execPath} ${agent} "$@"\n`,
    { mode: 0o755 },
  );
  return { provider: 'claude', env: { PATH: `${bin}:${process.env.PATH}`, HOME: daemon.home } };
}

describe('the version of an agent', () => {
  it('is known with its launch, and shown', async () => {
    const id = await startIdle(daemon, 'known');
    expect(await daemon.until(id, is('session launched'))).toMatchObject({ agent_version: '1.0.0' });
    const { code, stdout } = await daemon.sm('all', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout).sessions[0]).toMatchObject({ id, agent_version: '1.0.0' });
  });

  it('is that of the very program which the session runs', async () => {
    const old = await startIdle(daemon, 'old', claudeThat('old', 'echo 1.0.0; exit'));
    const odd = await startIdle(daemon, 'odd', claudeThat('odd', 'echo "2.1.999 (Claude Code)"; exit'));
    const launch = async (id: string) => (await daemon.until(id, is('session launched'))).agent_version;
    expect([await launch(old), await launch(odd)]).toEqual(['1.0.0', '2.1.999']);
  });

  it.each([
    ['hangs', 'sleep 600'],
    ['fails', 'exit 1'],
  ])(
    'of one that %s when it is asked is what it says later itself, and it starts all the same',
    async (name, answers) => {
      const id = await startIdle(daemon, name, claudeThat(name, answers));
      expect(await daemon.until(id, is('agent-version'))).toMatchObject({ version: '1.0.0' });
      expect(await daemon.session(id)).toMatchObject({ agent_version: '1.0.0' });
    },
  );
});
