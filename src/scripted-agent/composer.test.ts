import { describe, expect, it } from 'vitest';
import * as composer from './composer.ts';

const type = (text: string) => composer.insert(composer.emptyComposer, text);

describe('the composer', () => {
  it('inserts at the cursor', () => {
    const box = composer.insert(composer.move(composer.move(type('hello'), 'left'), 'left'), 'X');
    expect(box.text).toBe('helXlo');
    expect(box.cursor).toBe(4);
  });

  it('deletes a whole character, however many code units it has', () => {
    expect(composer.backspace(type('a😀')).text).toBe('a');
  });

  it('kills from the start of the line', () => {
    const box = composer.killLine(composer.move(type('one\ntwo'), 'left'));
    expect(box.text).toBe('one\no');
  });

  it('drops blanks at the end of what is typed', () => {
    expect(composer.submit(type('  lead and trail  \n\n')).text).toBe('  lead and trail');
  });
});

describe('a paste', () => {
  const paste = (text: string) => composer.paste(composer.emptyComposer, text);

  it('of 800 characters and two line breaks stands in the box as it is', () => {
    expect(paste('x'.repeat(800)).text).toBe('x'.repeat(800));
    expect(paste('a\nb\nc').text).toBe('a\nb\nc');
  });

  it('that is longer stands there as a placeholder and is sent whole, blanks at its end included', () => {
    const lines = `${Array.from({ length: 160 }, (_, n) => `line ${n}`).join('\n')}\n`;
    const box = paste(lines);
    expect(box.text).toBe('[Pasted text #1 +160 lines]');
    expect(composer.submit(box).text).toBe(lines);
    expect(paste('x'.repeat(801)).text).toBe('[Pasted text #1]');
  });

  it('goes on counting after a submit, and keeps text around the placeholder', () => {
    const first = composer.submit(paste('a\nb\nc\nd')).composer;
    const second = composer.insert(composer.paste(composer.insert(first, 'see '), '1\n2\n3\n4'), ' ok');
    expect(second.text).toBe('see [Pasted text #2 +3 lines] ok');
    expect(composer.submit(second).text).toBe('see 1\n2\n3\n4 ok');
  });

  it('that contains the words of a placeholder is not expanded again', () => {
    const text = 'a\nb\nc\n[Pasted text #1 +3 lines]';
    expect(composer.submit(paste(text)).text).toBe(text);
  });

  it('is deleted with one backspace', () => {
    expect(composer.backspace(paste('a\nb\nc\nd')).text).toBe('');
  });

  it('loses carriage returns, tabs, escape sequences and control characters', () => {
    expect(composer.cleanPaste('tab\there\r\ncr\rend\x01\x1b[31mred\x1bq  \n')).toBe(
      'tab    here\ncr\nendred  \n',
    );
  });
});

describe('the stash', () => {
  it('takes the draft, and gives it back on an empty box', () => {
    const stashed = composer.toggleStash(type('draft'));
    expect(stashed).toMatchObject({ text: '', stash: { text: 'draft' } });
    expect(composer.toggleStash(stashed)).toMatchObject({ text: 'draft', stash: null });
  });

  it('does nothing on an empty box without a stash', () => {
    expect(composer.toggleStash(composer.emptyComposer)).toBe(composer.emptyComposer);
  });

  it('is overwritten by a second draft', () => {
    const stashed = composer.toggleStash(type('first'));
    expect(composer.toggleStash(composer.insert(stashed, 'second')).stash?.text).toBe('second');
  });

  it('comes back by itself after the next submit, placeholders included', () => {
    const stashed = composer.toggleStash(composer.paste(type('draft '), 'a\nb\nc\nd'));
    const sent = composer.submit(composer.paste(stashed, 'message'));
    expect(sent.text).toBe('message');
    expect(sent.composer).toMatchObject({ text: 'draft [Pasted text #1 +3 lines]', stash: null });
    expect(composer.submit(sent.composer).text).toBe('draft a\nb\nc\nd');
  });
});
