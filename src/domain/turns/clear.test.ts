import { describe, expect, it } from 'vitest';
import { afterEscape, owedKinds, working } from '../../../test/support/mid-turn.ts';
import {
  alone,
  aloneWith,
  idleSession,
  screens,
  sent,
  type TestSession,
} from '../../../test/support/session.ts';
import { person } from '../core/names.ts';

const text = '[sm] boss stopped:\ndone';

/** A clear has cut the turn of a notice, which came back into the composer: it is to be taken out there. */
function clearing(world = alone): TestSession {
  const s = idleSession({}, world);
  s.take(sent({ id: 's1n1', headed: false, text, from: { kind: 'sm' } }));
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text });
  s.take({ type: 'clear', by: person, prompt: null });
  s.see(working);
  s.answer({ of: 'escape', outcome: 'typed' });
  afterEscape(s, screens.composer(text));
  return s;
}

const begun = (s: TestSession) => {
  s.hear({ is: 'context-ended' });
  s.hear({ is: 'agent-started', source: 'clear', providerId: 'c2' });
};

describe('a clear', () => {
  const forgetful = aloneWith({ commandTo: { clear: '/forget', compact: '/shrink' } });

  it('is asked for in the words of the agent', () => {
    const s = idleSession({}, forgetful);
    s.take({ type: 'clear', by: person, prompt: null });
    s.see(screens.composer());
    expect(s.owed[0]?.effect).toMatchObject({ do: 'submit', text: '/forget' });
  });

  it('is so also when a prompt comes back on the way to it', () => {
    const s = clearing(forgetful);
    s.see(screens.composer(text));
    expect(s.owed[0]?.effect).toMatchObject({ do: 'submit', text: '/forget', erase: 2 });
  });
});

describe('a prompt that comes back on the way to a clear', () => {
  it('is taken out of the composer, and goes into the new context', () => {
    const s = clearing();
    s.see(screens.composer(text));
    expect(s.owed[0]?.effect).toMatchObject({ do: 'submit', text: '/clear', erase: 2 });
    s.submitted('typed');
    begun(s);
    s.see(screens.composer());
    expect(s.owed[0]?.effect).toMatchObject({ do: 'submit', text });
  });

  it('is not left to a human when it is gone from the composer and we do not know that we took it out', () => {
    const s = clearing();
    s.see(screens.composer(text));
    s.submitted('unknown');
    for (let looks = 0; looks < 2; looks += 1) {
      s.wait(1_500);
      s.see(screens.composer());
    }
    expect(s.owed[0]?.effect).toMatchObject({ do: 'submit', text: '/clear', erase: 0 });
    s.submitted('typed');
    begun(s);
    s.see(screens.composer());
    expect(s.owed[0]?.effect).toMatchObject({ do: 'submit', text });
  });

  it('and is sent by a human who was faster, is the message, though it has no header', () => {
    const s = clearing();
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text });
    expect(s.message('s1n1').state).toMatchObject({ is: 'accepted', turn: 'p2' });
    s.see(working);
    begun(s);
    expect(s.message('s1n1').state.is).toBe('cleared');
    expect(s.state.session.attempt).toBeNull();
  });

  it('and is changed by a human, is left to him', () => {
    const s = clearing();
    s.see(screens.composer(`${text} and so on`));
    expect(s.message('s1n1').state).toMatchObject({ is: 'held', why: 'returned' });
  });

  it('waits again, if it was taken out and the clear fails', () => {
    const s = clearing();
    s.see(screens.composer(text));
    s.submitted('typed');
    for (let i = 0; i < 30 && s.state.session.clear; i += 1) {
      s.wait(1_500);
      if (owedKinds(s).includes('look')) s.see(screens.composer('', 'unclear'));
      if (owedKinds(s).includes('submit')) s.submitted('typed');
    }
    expect(s.eventsOf('clear failed')).toHaveLength(1);
    expect(s.message('s1n1').state.is).toBe('queued');
  });
});
