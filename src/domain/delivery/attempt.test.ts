import { describe, expect, it } from 'vitest';
import {
  attemptingSession,
  idleSession,
  killIt,
  screens,
  sent,
  type TestSession,
  typedSession,
} from '../../../test/support/session.ts';

const header = '[sm] from the user #aaaaaaaa:';
const ourText = `${header}\ntext of aaaaaaaa`;
const attempt = (s: TestSession) => s.state.session.attempt;
const effects = (s: TestSession) => s.owed.map(({ effect }) => effect);

/** The evidence does not come; the pane shows this. */
function showsAfterAWhile(s: TestSession, look: Parameters<TestSession['see']>[0]) {
  s.wait(1_500);
  s.see(look);
}

describe('a typed text of which there is no evidence', () => {
  it('gets Enter again when it still stands in the composer', () => {
    const s = typedSession('aaaaaaaa');
    showsAfterAWhile(s, screens.composer(ourText.replace('\n', ' ')));
    expect(effects(s)).toEqual([
      { do: 'submit', text: null, stash: false, erase: 0, cursor: { x: 2, y: 20 } },
    ]);
  });

  /** A picture is one character. */
  const length = '[sm] from the user #aaaaaaaa:\na\nb \nc'.length + 1;
  it.each([
    ['lines', screens.folded('line-breaks', 3)],
    ['characters', screens.folded('characters', length)],
    ['characters, or one less', screens.folded('characters', length - 1, length)],
    ['characters, or one more', screens.folded('characters', length, length + 1)],
  ])('gets Enter again when it stands there as a folded paste of as many %s', (_, look) => {
    const s = idleSession();
    s.send('aaaaaaaa', 'a\nb 👍\nc');
    s.see(screens.composer());
    s.submitted('typed');
    showsAfterAWhile(s, look);
    expect(effects(s)).toMatchObject([{ do: 'submit', text: null }]);
  });

  it.each([
    ['a human typed the character that ours begins with', screens.composer('[')],
    ['a human wrote behind it', screens.composer(`${ourText} and this`)],
    ['a human pasted other lines', screens.folded('line-breaks', 160)],
    ['a human pasted a character more', screens.folded('characters', ourText.length + 1)],
    ['a human pasted a character less', screens.folded('characters', ourText.length - 1)],
    ['a human wrote behind a paste', screens.composer('[a paste] please')],
    ['another draft stands there', screens.composer('what about')],
  ])('gets no Enter when %s', (_, look) => {
    const s = typedSession('aaaaaaaa');
    for (let i = 0; i < 5; i += 1) showsAfterAWhile(s, look);
    expect(effects(s)).toEqual([]);
    expect(attempt(s)?.awaits).toEqual({ lookAt: s.now + 1_500 });
  });

  it('is pasted again only after two looks in a row at an empty composer', () => {
    const s = typedSession('aaaaaaaa');
    showsAfterAWhile(s, screens.composer());
    expect(effects(s)).toEqual([]);
    showsAfterAWhile(s, screens.composer('', 'working'));
    showsAfterAWhile(s, screens.composer());
    expect(effects(s)).toEqual([]);
    showsAfterAWhile(s, screens.composer());
    expect(effects(s)).toMatchObject([{ do: 'submit', text: ourText }]);
  });

  it('is never pasted again while the agent works, compacts or asks', () => {
    const s = typedSession('aaaaaaaa');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'typed by a human' });
    for (let i = 0; i < 4; i += 1) showsAfterAWhile(s, screens.composer());
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    s.hear({ is: 'compaction-began' });
    for (let i = 0; i < 4; i += 1) showsAfterAWhile(s, screens.composer());
    expect(effects(s).filter((effect) => effect.do === 'submit')).toEqual([]);
    expect(attempt(s)).toMatchObject({ step: 'typed', pastes: 1 });
  });

  it('fails after three pastes that left no trace, and what is behind it goes', () => {
    const s = typedSession('aaaaaaaa');
    s.send('bbbbbbbb');
    for (let pastes = 1; pastes < 3; pastes += 1) {
      showsAfterAWhile(s, screens.composer());
      showsAfterAWhile(s, screens.composer());
      s.submitted('typed');
    }
    showsAfterAWhile(s, screens.composer());
    showsAfterAWhile(s, screens.composer());
    expect(s.message('aaaaaaaa').state).toMatchObject({
      is: 'failed',
      why: expect.stringContaining('3 times'),
    });
    expect(attempt(s)?.messages).toEqual(['bbbbbbbb']);
  });

  it('fails after five Enters that had no effect', () => {
    const s = typedSession('aaaaaaaa');
    for (let enters = 0; enters < 5; enters += 1) {
      showsAfterAWhile(s, screens.composer(ourText));
      s.submitted('typed');
    }
    expect(s.message('aaaaaaaa').state.is).toBe('typed');
    showsAfterAWhile(s, screens.composer(ourText));
    expect(s.message('aaaaaaaa').state).toMatchObject({
      is: 'failed',
      why: expect.stringContaining('Enter'),
    });
  });

  it('still waits for its evidence when a later Enter did not go out', () => {
    const s = typedSession('aaaaaaaa');
    showsAfterAWhile(s, screens.composer(ourText));
    s.submitted('changed');
    expect(s.message('aaaaaaaa').state.is).toBe('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: ourText });
    expect(s.message('aaaaaaaa').state.is).toBe('accepted');
  });

  it('is judged like any other when a crash left it unknown whether the keys went out', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see(screens.composer());
    s.submitted('unknown');
    showsAfterAWhile(s, screens.composer());
    showsAfterAWhile(s, screens.composer());
    expect(effects(s)).toMatchObject([{ do: 'submit', text: ourText }]);
  });
});

describe('evidence of only some messages of an attempt', () => {
  it('leaves the others to be typed without those that the agent has', () => {
    const s = typedSession('aaaaaaaa', 'bbbbbbbb');
    s.hear({ is: 'process-exited' }, { source: 'pane' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: ourText });
    expect(s.message('aaaaaaaa').state.is).toBe('died');
    expect(s.message('bbbbbbbb').state.is).toBe('queued');
  });

  it('counts also when they are about to be typed again', () => {
    const s = attemptingSession('aaaaaaaa', 'bbbbbbbb');
    s.see(screens.composer());
    s.submitted('changed');
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: ourText });
    expect(attempt(s)?.messages).toEqual(['bbbbbbbb']);
    s.wait(50);
    s.see(screens.composer());
    expect(effects(s)).toMatchObject([{ text: '[sm] from the user #bbbbbbbb:\ntext of bbbbbbbb' }]);
  });
});

describe('a session that is killed', () => {
  it('fails everything that waits or was typed, and takes nothing more', () => {
    const s = typedSession('aaaaaaaa');
    s.send('bbbbbbbb');
    s.take(killIt);
    // Of what was typed, nobody knows whether the agent had it.
    const inDoubt = 'the session was killed before it was known whether it had the message';
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'failed', why: inDoubt });
    expect(s.message('bbbbbbbb').state).toMatchObject({ is: 'failed', why: 'the session was killed' });
    const late = sent({ id: 'cccccccc' });
    expect(s.refusal(late)).toMatchObject({
      code: 'conflict',
      data: { is: 'not-running', session: { id: 's1', name: 'scripted-s1' } },
    });
    s.answer({ of: 'kill' });
    expect(s.refusal(late).code).toBe('conflict');
  });

  it('does not fail what the agent has', () => {
    const s = typedSession('aaaaaaaa');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: ourText });
    s.take(killIt);
    s.answer({ of: 'kill' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'died', turn: 'p2', why: 'it was killed' });
  });
});

it('a long text is not pasted again while the agent may still be reading it', () => {
  const s = idleSession();
  s.send('aaaaaaaa', 'x'.repeat(1_000_000));
  s.see(screens.composer());
  s.submitted('typed');
  s.wait(20_000);
  expect(s.owed).toEqual([]);
  s.wait(2_000);
  expect(s.owed.map(({ effect }) => effect.do)).toEqual(['look']);
});
