import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonFault, lineAt, type Node, parseJsonText } from './json-text.ts';

function meaningOf(node: Node): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map(meaningOf);
  return Object.fromEntries(node.members.map(({ key, value }) => [key, meaningOf(value)]));
}

function faultIn(text: string): string {
  try {
    parseJsonText(text);
    return 'none';
  } catch (error) {
    expect(error).toBeInstanceOf(JsonFault);
    return `${lineAt(text, (error as JsonFault).offset)}: ${(error as JsonFault).message}`;
  }
}

describe('JSON text', () => {
  it('means what it means everywhere', () => {
    fc.assert(
      fc.property(fc.json(), fc.constantFrom('', ' ', '  ', '\t'), (json, indent) => {
        const text = JSON.stringify(JSON.parse(json), null, indent);
        expect(JSON.stringify(meaningOf(parseJsonText(text)))).toBe(JSON.stringify(JSON.parse(text)));
      }),
    );
  });

  it('is taken for JSON by nobody else if it is not by us, and the other way round', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '1',
      '-',
      '.5',
      'true',
      'nul',
      ' ',
      '\n',
      '//',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 12 }), (parts) => {
        const text = parts.join('');
        let good = true;
        try {
          JSON.parse(text);
        } catch {
          good = false;
        }
        expect(faultIn(text) === 'none', text).toBe(good);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['{\n  // mine\n}', '2: JSON allows no comments'],
    ['{} /* end */', '1: JSON allows no comments'],
    ['{\n  "a": 1,\n}', '3: JSON allows no comma before }'],
    ['{\n  "a": 1\n  "b": 2\n}', '3: , or } is expected'],
    ["{ 'a': 1 }", '1: a key in double quotes is expected'],
    ['{"a" 1}', '1: : is expected'],
    ['{"a": }', '1: a value is expected'],
    ['{"a": 1', '1: the file ends where , or } is expected'],
    ['', '1: the file ends where a value is expected'],
    ['{}\n{}', '2: there is text after the end'],
    ['{"a": "\t"}', '1: a text is malformed'],
  ])('%j is refused with its line', (text, fault) => {
    expect(faultIn(text)).toBe(fault);
  });

  it('may begin with the mark of its encoding', () => {
    expect(meaningOf(parseJsonText('\ufeff{"a": 1}'))).toEqual({ a: 1 });
  });
});
