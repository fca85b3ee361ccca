import { describe, expect, it } from 'vitest';
import { parseDirectives } from './directives.ts';

describe('directives', () => {
  it('are found anywhere in the prompt, in order', () => {
    expect(
      parseDirectives('[sm] from lead #7:\nplease [[sleep 0.5]] then [[bash ls -l]] and [[say done]]'),
    ).toEqual([
      { do: 'sleep', seconds: 0.5 },
      { do: 'bash', command: 'ls -l', ask: false },
      { do: 'say', text: 'done' },
    ]);
  });

  it('may go over several lines', () => {
    expect(parseDirectives('[[say one\ntwo]]')).toEqual([{ do: 'say', text: 'one\ntwo' }]);
  });

  it('repeat a command in rounds', () => {
    expect(parseDirectives('[[on a mark => sh it.sh]]')).toEqual([
      { do: 'habit', words: 'a mark', command: 'sh it.sh' },
    ]);
    expect(parseDirectives('[[bashes 2 echo hi]]')).toHaveLength(2);
  });

  it('leave alone what they do not know', () => {
    expect(parseDirectives('an [[unknown thing]] and a [link]')).toEqual([]);
  });

  it('split an edit into file and text', () => {
    expect(parseDirectives('[[edit notes.md # Title\nbody]]')).toEqual([
      { do: 'edit', file: 'notes.md', text: '# Title\nbody' },
    ]);
  });
});
