import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { inputFile } from './input.ts';

describe('what Qwen Code is told', () => {
  let folder: string;
  let path: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sm-qwen-input-'));
    path = join(folder, 'in');
    writeFileSync(path, '');
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** As it reads: whole lines, and what is no JSON is passed over. */
  const heard = (): object[] =>
    readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .flatMap((line) => {
        try {
          return [JSON.parse(line) as object];
        } catch {
          return [];
        }
      });

  it('stands there once under its name, also for a daemon that comes later', async () => {
    expect(await inputFile(path).say('a1', { type: 'submit', text: 'grüße\nyou' })).toBe('said');
    const later = inputFile(path);
    expect(await later.say('a1', { type: 'submit', text: 'grüße\nyou' })).toBe('before');
    expect(await later.say('a2', { type: 'submit', text: 'more' })).toBe('said');
    expect(heard()).toEqual([
      { type: 'submit', text: 'grüße\nyou', sm: 'a1' },
      { type: 'submit', text: 'more', sm: 'a2' },
    ]);
  });

  it.each([1, 12, 30])(
    'does not go on in a line that was torn after %i bytes, and that is said again',
    async (bytes) => {
      const line = `${JSON.stringify({ type: 'submit', text: 'torn by a crash', sm: 'a1' })}\n`;
      appendFileSync(path, line.slice(0, bytes));
      const input = inputFile(path);
      expect(await input.say('a1', { type: 'submit', text: 'torn by a crash' })).toBe('said');
      expect(await input.say('a2', { type: 'submit', text: 'next' })).toBe('said');
      expect(heard()).toMatchObject([{ sm: 'a1' }, { sm: 'a2' }]);
    },
  );

  it('is ended, and not said again, where only its end was torn off', async () => {
    appendFileSync(path, JSON.stringify({ type: 'submit', text: 'x', sm: 'a1' }));
    expect(await inputFile(path).say('a1', { type: 'submit', text: 'x' })).toBe('before');
    expect(heard()).toEqual([{ type: 'submit', text: 'x', sm: 'a1' }]);
  });

  it('keeps the order of what is said at once', async () => {
    const input = inputFile(path);
    await Promise.all(
      [1, 2, 3, 4].map((n) => input.say(`a${n}`, { n, text: 'x'.repeat(100_000 * (5 - n)) })),
    );
    expect(heard()).toMatchObject([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }]);
  });

  it('several lines have one name', async () => {
    const input = inputFile(path);
    const answer = [
      { type: 'submit', text: 'the other' },
      { type: 'confirmation_response', allowed: false },
    ];
    await input.say('answer', ...answer);
    await inputFile(path).say('answer', ...answer);
    expect(heard()).toMatchObject(answer);
  });

  it('reaches nobody where there is no file', async () => {
    expect(await inputFile(join(folder, 'none')).say('a1', {})).toBe('gone');
  });
});
