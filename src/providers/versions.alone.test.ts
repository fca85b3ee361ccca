import { mkdtempSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { virtualClock } from '../engine/virtual-clock.ts';
import { processEnds } from '../terminal/process-identity.ts';
import { askVersion, createVersions } from './versions.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-versions-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A program that does this when it is asked. */
function program(script: string, name = 'agent'): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  return file;
}
const env = { PATH: process.env.PATH ?? '' };

describe('an agent that is asked for its version', () => {
  it.each([
    ['2.1.325 (Claude Code)', '2.1.325'],
    ['codex-cli 0.166.0', '0.166.0'],
    ['agent v3.0.0-beta.2', '3.0.0-beta.2'],
    ['no idea', null],
  ])('says "%s": %s', async (said, version) => {
    expect(await askVersion([program(`echo "${said}"`), '--version'], env)).toBe(version);
  });

  it('is not known when it fails, or is not there', async () => {
    expect(await askVersion([program('echo 1.2.3; exit 1')], env)).toBeNull();
    expect(await askVersion([join(folder, 'nobody')], env)).toBeNull();
  });

  it('is not asked as one of our sessions', async () => {
    const asked = program('echo "1.2.3 $CLAUDE_SESSION_MANAGER_ID" > "$0.said"');
    await askVersion([asked], { ...env, CLAUDE_SESSION_MANAGER_ID: 's1' });
    expect(readFileSync(`${asked}.said`, 'utf8')).toBe('1.2.3 \n');
  });

  it('and hangs is ended, with what it has started', async () => {
    const asked = program('sleep 600 & echo $! > "$0.pid"; wait');
    expect(await askVersion([asked], env, 1_500)).toBeNull();
    expect(await processEnds(Number(readFileSync(`${asked}.pid`, 'utf8')), null, 10_000)).toBe(true);
  });
});

describe('versions', () => {
  /** Counts who is asked, and lets the test answer. */
  function asking() {
    const asked: string[] = [];
    const answers: ((version: string | null) => void)[] = [];
    const clock = virtualClock();
    const versions = createVersions(clock, ([file = '']) => {
      asked.push(file);
      return new Promise((resolve) => answers.push(resolve));
    });
    return { asked, answers, clock, of: (file: string) => versions.of([file, '--version'], env) };
  }
  const until = async (holds: () => boolean) => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve));
  };

  it('are asked for once, while the program stays the same', async () => {
    const { asked, answers, of } = asking();
    const file = program('');
    const both = [of(file), of(file)];
    await until(() => answers.length > 0);
    answers[0]?.('1.0.0');
    expect(await Promise.all([...both, of(file)])).toEqual(['1.0.0', '1.0.0', '1.0.0']);
    expect(asked).toHaveLength(1);
  });

  it('are asked for again when the program was replaced, also behind a link', async () => {
    const { asked, answers, of } = asking();
    const [old, link] = [program('', 'old'), join(folder, 'link')];
    symlinkSync(old, link);
    const ask = async (times: number, version: string) => {
      const known = of(link);
      await until(() => answers.length === times);
      answers[times - 1]?.(version);
      return known;
    };
    expect(await ask(1, '1.0.0')).toBe('1.0.0');
    utimesSync(old, 1, 1);
    expect(await ask(2, '1.0.1')).toBe('1.0.1');
    rmSync(link);
    symlinkSync(program('', 'new'), link);
    expect(await ask(3, '2.0.0')).toBe('2.0.0');
    expect(asked).toHaveLength(3);
  });

  it('are not waited for longer than a second, and known to the next who asks', async () => {
    const { asked, answers, clock, of } = asking();
    const file = program('');
    const hasty = of(file);
    await until(() => answers.length > 0);
    clock.advance(1_000);
    expect(await hasty).toBeNull();
    answers[0]?.('1.0.0');
    expect(await of(file)).toBe('1.0.0');
    expect(asked).toHaveLength(1);
  });
});
