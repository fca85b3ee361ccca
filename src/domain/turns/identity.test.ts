// Identity instead of counting: a notice is bound to its message, through it to the turn that took it, and only the end
// of that turn fulfils it. One test for each way in which that could go wrong.
import { describe, expect, it } from 'vitest';
import { idleSession, screens, sent, type TestSession, typedSession } from '../../../test/support/session.ts';
import { quietly } from '../core/message.ts';

const header = (id: string) => `[sm] from boss (boss) #${id}:\ntext of ${id}`;
const told = (s: TestSession) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [[effect.to, effect.text]] : []));

function send(s: TestSession, id: string, from = 'boss'): void {
  s.take(
    sent({ id, from: { kind: 'session', id: from, name: from }, notify: { ...quietly, turnEnd: true } }),
  );
}

/** The message was typed, and the turn has taken it. */
function taken(s: TestSession, id: string, turnId: string, from = 'boss'): void {
  send(s, id, from);
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId, text: header(id).replaceAll('boss', from) });
}

const orphan = () => idleSession({ parentId: null });

describe('1. matching', () => {
  it('two equal texts are told apart by the ids in their headers', () => {
    const s = typedSession('aaaaaaaa', 'bbbbbbbb');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: '[sm] from the user #bbbbbbbb:\nsame' });
    expect(s.message('bbbbbbbb').state.is).toBe('accepted');
    expect(s.message('aaaaaaaa').state.is).toBe('typed');
  });

  it('a text without a header is matched by the open attempt that typed exactly it', () => {
    const s = idleSession();
    s.take(sent({ id: 'boss1n1', text: '[sm] hand stopped:\ndone', headed: false, from: { kind: 'sm' } }));
    s.hear({ is: 'prompt-submitted', turnId: 'p0', text: '[sm] hand stopped:\ndone' });
    expect(s.message('boss1n1').state.is, 'before it was typed, it is somebody else’s').not.toBe('accepted');
    s.hear({ is: 'turn-ended', turnId: 'p0' });
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: '[sm] hand stopped:\ndone' });
    expect(s.message('boss1n1').state.is).toBe('accepted');
  });
});

describe('2. foreign facts', () => {
  it('an end of another conversation fulfils nothing', () => {
    const s = orphan();
    taken(s, 'aaaaaaaa', 'p1');
    s.hear({ is: 'turn-ended', providerId: 'nested', turnId: 'p1', lastWords: 'not mine' });
    expect(told(s)).toEqual([]);
    expect(s.phase).toBe('working');
  });
});

describe('3. mid-turn prompts', () => {
  it('the end of the turn in which a text was only enqueued does not answer it', () => {
    const s = orphan();
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'a human’s' });
    s.take(
      sent({
        id: 'aaaaaaaa',
        mode: 'important',
        from: { kind: 'session', id: 'boss', name: 'boss' },
        notify: { ...quietly, turnEnd: true },
      }),
    );
    s.see(screens.composer('', 'working'));
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: header('aaaaaaaa') });
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'for the human' });
    expect(told(s)).toEqual([]);
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: header('aaaaaaaa') }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'for the boss' });
    expect(told(s)).toEqual([['boss', '[sm] scripted-s1 stopped:\nfor the boss']]);
  });
});

describe('5. ends before starts', () => {
  it('an end that comes before its start is told when the start comes, once', () => {
    const s = orphan();
    send(s, 'aaaaaaaa');
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'quick' });
    expect(told(s)).toEqual([]);
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: header('aaaaaaaa') });
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'quick' });
    expect(told(s)).toEqual([['boss', '[sm] scripted-s1 stopped:\nquick']]);
  });
});

describe('two senders', () => {
  it('are two notices, each of its own turn', () => {
    const s = orphan();
    taken(s, 'aaaaaaaa', 'p1', 'ann');
    send(s, 'bbbbbbbb', 'bob');
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'for ann' });
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: header('bbbbbbbb').replaceAll('boss', 'bob') });
    s.hear({ is: 'turn-ended', turnId: 'p2', lastWords: 'for bob' });
    expect(told(s)).toEqual([
      ['ann', '[sm] scripted-s1 stopped:\nfor ann'],
      ['bob', '[sm] scripted-s1 stopped:\nfor bob'],
    ]);
  });

  it('a second end of the same turn tells nobody', () => {
    const s = orphan();
    taken(s, 'aaaaaaaa', 'p1');
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'once' });
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'twice' });
    expect(told(s)).toHaveLength(1);
  });
});

describe('9. background tasks', () => {
  it('a turn that ends with some running opens delivery, and its notice says that something still runs', () => {
    const s = orphan();
    taken(s, 'aaaaaaaa', 'p1');
    send(s, 'bbbbbbbb');
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'started it', stillRuns: 2 });
    expect(told(s)).toEqual([
      ['boss', '[sm] scripted-s1 stopped:\nstarted it\n(2 background tasks still running)'],
    ]);
    expect(s.state.session.attempt?.messages).toEqual(['bbbbbbbb']);
  });
});

describe('what a notice says', () => {
  it('cuts the last words at 500 characters', () => {
    const s = orphan();
    taken(s, 'aaaaaaaa', 'p1');
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'x'.repeat(600) });
    expect(told(s)[0]?.[1]).toBe(`[sm] scripted-s1 stopped:\n${'x'.repeat(500)}...`);
  });

  it('is generic when there are none', () => {
    const s = orphan();
    taken(s, 'aaaaaaaa', 'p1');
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: null });
    expect(told(s)[0]?.[1]).toBe('[sm] scripted-s1 (s1) completed (Stop hook fired)');
  });

  it('is told to the parent, once, when a child asks, and when it is gone', () => {
    const s = idleSession({ parentId: 'boss' });
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'ls', text: 'Bash: ls' });
    expect(told(s).map(([to]) => to)).toEqual(['boss']);
    s.hear({ is: 'process-exited', code: 1, signal: null, screen: '' }, { source: 'pane' });
    expect(told(s).at(-1)?.[1]).toContain('exited (exit code 1)');
  });
});
