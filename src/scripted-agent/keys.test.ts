import { describe, expect, it } from 'vitest';
import { createKeyDecoder, type Input } from './keys.ts';

const text = (value: string): Input => ({ kind: 'text', text: value });
const key = (name: Extract<Input, { kind: 'key' }>['key']): Input => ({ kind: 'key', key: name });

function decode(...chunks: (string | Buffer)[]): Input[] {
  const decoder = createKeyDecoder();
  return chunks.flatMap((chunk) => decoder.push(Buffer.from(chunk as string)));
}

describe('the key decoder', () => {
  it('tells text from keys', () => {
    expect(decode('hi\r\x7f\x13')).toEqual([text('hi'), key('enter'), key('backspace'), key('ctrl-s')]);
    expect(decode('\x1b[A\x1bOB\x1b[1;5C')).toEqual([key('up'), key('down'), key('other')]);
    expect(decode('\x1b\r')).toEqual([key('alt-enter')]);
  });

  it('joins characters that are split between reads', () => {
    const bytes = Buffer.from('日本');
    expect(decode(bytes.subarray(0, 2), bytes.subarray(2))).toEqual([text('日本')]);
  });

  it('takes a paste as one, wherever the reads cut it', () => {
    const bytes = '\x1b[200~one\rtwo\x1b[201~\r';
    for (let cut = 1; cut < bytes.length; cut++) {
      const inputs = decode(bytes.slice(0, cut), bytes.slice(cut));
      expect(inputs).toEqual([{ kind: 'paste', text: 'one\rtwo' }, key('enter')]);
    }
  });

  it('sees Escape right before a paste', () => {
    expect(decode('\x1b\x1b[200~x\x1b[201~')).toEqual([key('escape'), { kind: 'paste', text: 'x' }]);
  });

  it('waits with a lone ESC until told that nothing follows', () => {
    const decoder = createKeyDecoder();
    expect(decoder.push(Buffer.from('\x1b'))).toEqual([]);
    expect(decoder.pending).toBe(true);
    expect(decoder.flush()).toEqual([key('escape')]);
    expect(decoder.pending).toBe(false);
  });

  it('never takes the silence inside a long paste for its end', () => {
    const decoder = createKeyDecoder();
    decoder.push(Buffer.from('\x1b[200~half'));
    expect(decoder.flush()).toEqual([]);
    expect(decoder.push(Buffer.from(' more\x1b[201~'))).toEqual([{ kind: 'paste', text: 'half more' }]);
  });
});
