import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patchLines, placeOfRemark } from './patch.ts';

const patch = '@@ -3,3 +3,4 @@ function a() {\n one\n-two\n+2\n+2b\n three\n\\ No newline at end of file\n';

describe('the lines of a patch', () => {
  it('have their numbers before and after', () => {
    expect(patchLines(patch).map((line) => [line.is, line.old, line.new, line.text])).toEqual([
      ['gap', null, null, 'function a() {'],
      ['same', 3, 3, 'one'],
      ['removed', 4, null, 'two'],
      ['added', null, 4, '2'],
      ['added', null, 5, '2b'],
      ['same', 5, 6, 'three'],
      ['note', null, null, 'No newline at end of file'],
    ]);
  });

  it('may look like the head of a hunk, or be empty', () => {
    const lines = patchLines('@@ -0,0 +1,2 @@\n+@@ -1 +1 @@\n+\n');
    expect(lines.map(({ text, new: number }) => [number, text])).toEqual([
      [null, ''],
      [1, '@@ -1 +1 @@'],
      [2, ''],
    ]);
  });
});

describe('a remark', () => {
  it('stays with the words that it was made on, the nearest of them', () => {
    const lines = patchLines('@@ -0,0 +1,4 @@\n+a\n+b\n+a\n+c\n');
    expect(placeOfRemark(lines, { side: 'new', line: 4, quote: 'a' })).toBe(3);
    expect(placeOfRemark(lines, { side: 'new', line: 1, quote: 'a' })).toBe(1);
    expect(placeOfRemark(lines, { side: 'new', line: 2, quote: 'gone' })).toBeNull();
    expect(placeOfRemark(lines, { side: 'old', line: 1, quote: 'a' })).toBeNull();
  });

  it('is found on every line that it can be made on', () => {
    const words = fc.array(fc.constantFrom('+a', '-a', ' a', '+b', '-b', ' b'), { minLength: 1 });
    fc.assert(
      fc.property(words, (body) => {
        const lines = patchLines(`@@ -1,9 +1,9 @@\n${body.join('\n')}\n`);
        for (const [at, { is, old, new: now, text }] of lines.entries()) {
          const [side, line] = is === 'removed' ? (['old', old] as const) : (['new', now] as const);
          if (line === null) continue;
          expect(placeOfRemark(lines, { side, line, quote: text })).toBe(at);
        }
      }),
    );
  });
});
