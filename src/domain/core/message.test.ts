import { describe, expect, it } from 'vitest';
import { headerOf, type Message, messageIdsIn, promptOf, quietly } from './message.ts';

const message = (id: string, text: string, name?: string): Message => ({
  id,
  to: 's1',
  from: name ? { kind: 'session', id: 'f00df00d', name } : { kind: 'person' },
  text,
  shown: null,
  headed: true,
  notify: quietly,
  remind: null,
  evenCompacting: false,
  mode: 'sequential',
  createdAt: 0,
  order: 1,
  state: { is: 'queued' },
});

describe('the header of a message', () => {
  it('says who wrote it and which one it is', () => {
    expect(headerOf(message('0123abcd', 'x'))).toBe('[sm] from the user #0123abcd:');
    expect(headerOf(message('0123abcd', 'x', 'lead'))).toBe('[sm] from lead (f00df00d) #0123abcd:');
  });

  it('keeps the first character of the text from being a command', () => {
    expect(promptOf([message('0123abcd', '!rm -r /'), message('4567abcd', '/exit')])).toMatch(/^\[sm\]/);
  });

  it('is found again in the prompt, each one in its order', () => {
    const prompt = promptOf([message('0123abcd', 'one\ntwo'), message('4567abcd', '', 'a b: #c')]);
    expect(messageIdsIn(prompt)).toEqual(['0123abcd', '4567abcd']);
  });

  it('is found beside texts that go without one, in the order of the prompt', () => {
    const notice = (id: string, text: string): Message => ({ ...message(id, text), headed: false });
    const [a, b, c] = [
      notice('0000000a', 'is idle.'),
      notice('0000000b', 'is idle.'),
      notice('0000000c', 'other'),
    ];
    const headed = message('0123abcd', 'one');
    expect(messageIdsIn(promptOf([a, headed, b]), [c, b, a])).toEqual(['0000000b', '0123abcd', '0000000a']);
    expect(messageIdsIn(promptOf([c, headed, a]), [a, c])).toEqual(['0000000c', '0123abcd', '0000000a']);
    expect(messageIdsIn('he said: is idle.', [a])).toEqual([]);
  });

  it('is not found where something only looks like one', () => {
    expect(messageIdsIn('see [sm] from the user #0123abcd:')).toEqual([]);
    expect(messageIdsIn('[sm] from the user #0123abcd: and more')).toEqual([]);
    expect(messageIdsIn('[sm] from the user #0123:')).toEqual([]);
  });
});
