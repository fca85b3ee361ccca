// What a new user sees of a start: it worked, it asks something, or it failed and why.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';

/** Stands in for Claude Code that has no key: it says so and ends. */
const keyless = `#!/bin/sh
[ "$1" != --version ] || { echo '2.1.325 (Claude Code)'; exit 0; }
echo 'Invalid API key. Please run /login'
exit 1
`;

describe('on a machine where everything is there', () => {
  let daemon: TestDaemon;
  beforeAll(async () => {
    daemon = await startTestDaemon();
  });
  afterAll(() => daemon.dispose());

  it.each([['spawn', 'scripted', '[[say hi]]'], ['scripted']])(
    'sm %s %s returns when the agent is ready',
    async (...argv) => {
      const { code, stdout } = await daemon.sm(...argv, '--json');
      expect(code).toBe(0);
      const { session_id, id = session_id } = JSON.parse(stdout) as { id?: string; session_id: string };
      expect((await daemon.session(String(id))).phase).not.toBe('starting');
    },
  );

  it('an agent that ends at once is an error, with the last that it showed', async () => {
    const bin = join(dirname(daemon.home), 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), keyless);
    chmodSync(join(bin, 'claude'), 0o755);
    const env = { PATH: `${bin}${delimiter}${process.env.PATH}` };
    for (const argv of [
      ['claude'],
      ['spawn', 'claude', 'hello'],
      ['spawn', 'claude', 'hello', '--wait', '60'],
    ]) {
      const { code, stdout, stderr } = await daemon.smWith(env, ...argv);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(
        /^Error: claude-\w+ \(\w+\) ended at once: exit code 1\. Its last output:\n {2}Invalid API key/,
      );
    }
  });

  it('one that asks something has started, and what it asks is told', async () => {
    const { code, stdout } = await daemon.smWith(
      { SCRIPTED_FAULTS: 'trust-dialog' },
      'spawn',
      'scripted',
      'hi',
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Spawned .*\nIt asks: .*trust.*\nAnswer in its terminal: sm attach \w+\nFirst message: /,
    );
  });
});

it('without tmux a start is an error that says what to install', async () => {
  // All that the daemon needs, but no tmux.
  const bin = mkdtempSync(join(tmpdir(), 'sm-path-'));
  symlinkSync(process.execPath, join(bin, 'node'));
  const daemon = await startTestDaemon({ env: { PATH: bin } });
  try {
    for (const argv of [['scripted'], ['spawn', 'scripted', 'hello']]) {
      const { code, stdout, stderr } = await daemon.sm(...argv);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toMatch(/did not start: tmux was not found: install tmux 3\.2 or newer\./);
    }
  } finally {
    await daemon.dispose();
    rmSync(bin, { recursive: true });
  }
});
