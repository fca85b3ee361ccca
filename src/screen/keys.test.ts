import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { edited, editOf } from './edit.ts';
import { KeyReader } from './keys.ts';
import { shellWords } from './shell-words.ts';

const keys = (...pieces: string[]) => {
  const reader = new KeyReader();
  return [...pieces.flatMap((piece) => reader.read(piece)), ...reader.flush()];
};
const named = (...pieces: string[]) => keys(...pieces).map((key) => (key.kind === 'key' ? key.key : key));

describe('keys', () => {
  it.each([
    ['a', ['a']],
    ['ä日', ['ä', '日']],
    ['\r', ['enter']],
    ['\x03', ['ctrl+c']],
    ['\x7f', ['backspace']],
    ['\t\x1b[Z', ['tab', 'shift+tab']],
    ['\x1b[A\x1bOB\x1b[1;5C', ['up', 'down', 'ctrl+right']],
    ['\x1b[5~\x1b[3~', ['pageup', 'delete']],
    ['\x1b\r', ['alt+enter']],
    ['\x1b', ['escape']],
    ['\x1b\x1b', ['escape', 'escape']],
    ['\x1b[99;99u', []],
  ])('%j', (text, expected) => expect(named(text)).toEqual(expected));

  it('are the same, however the bytes are cut into pieces', () => {
    const text = 'a\x1b[A\x1b[<0;5;3M\x1b[200~x\r\ny\x1b[201~é\x1b[1;5Dq';
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const places = [0, ...cuts.sort((one, other) => one - other), text.length];
        const pieces = places.slice(1).map((place, index) => text.slice(places[index], place));
        expect(keys(...pieces)).toEqual(keys(text));
      }),
    );
  });

  it('tell a paste and the mouse apart', () => {
    expect(keys('\x1b[200~rm -rf\r\nq\x1b[201~')).toEqual([{ kind: 'paste', text: 'rm -rf\nq' }]);
    expect(keys('\x1b[<0;5;3M\x1b[<0;5;3m\x1b[<65;1;1M')).toEqual([
      { kind: 'mouse', act: 'press', row: 2, column: 4 },
      { kind: 'mouse', act: 'down', row: 0, column: 0 },
    ]);
  });
});

describe('a line that is written', () => {
  const after = (text: string, ...pressed: string[]) =>
    pressed.reduce((edit, key) => edited(edit, key) ?? edit, editOf(text));

  it.each([
    ['one two', ['ctrl+w'], 'one '],
    ['one two', ['home', 'ctrl+k'], ''],
    ['one two', ['alt+b', 'ctrl+u'], 'two'],
    ['ab', ['left', 'x'], 'axb'],
    ['👩‍👩‍👧‍👦!', ['left', 'backspace'], '!'],
    ['a', ['alt+enter', 'b'], 'a\nb'],
    ['a', ['pageup', 'up'], 'a'],
  ])('%j after %j', (text, pressed, expected) => expect(after(text, ...pressed).text).toBe(expected));
});

describe('a command line', () => {
  it.each([
    ['send a "hello world"', ['send', 'a', 'hello world']],
    ["send a 'it is \\n'", ['send', 'a', 'it is \\n']],
    ['x a\\ b ""', ['x', 'a b', '']],
    ['  ', []],
  ])('%j', (line, words) => expect(shellWords(line)).toEqual({ words }));

  it('must have its quotes closed', () =>
    expect(shellWords('send "x')).toEqual({ error: 'The quote " is not closed.' }));
});
