import { describe, expect, it } from 'vitest';
import {
  afterEscape,
  fromBoss,
  owedKinds,
  posts,
  urgent,
  working,
  workingForBoss,
} from '../../../test/support/mid-turn.ts';
import { aloneWith, idleSession, screens, sent } from '../../../test/support/session.ts';

describe('a human at the pane', () => {
  it('who took a prompt back has it in his composer: it is held, its sender is told, and it is not typed again', () => {
    const s = workingForBoss();
    const back = screens.composer('[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa');
    s.wait(10_000);
    s.see(back);
    expect(s.phase, 'it stands there also while the agent takes it').toBe('working');
    s.wait(2_000);
    s.see(back);
    expect(s.phase).toBe('idle');
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'returned' });
    expect(posts(s)[0]?.text).toContain('#aaaaaaaa is back in its composer');
    expect(s.state.session.attempt).toBeNull();
  });

  it('who took a prompt back and added to it has it in his composer as well', () => {
    const s = workingForBoss();
    const back = screens.composer('[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa, and quickly');
    s.wait(10_000);
    s.see(back);
    s.wait(2_000);
    s.see(back);
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'returned' });
    expect(posts(s).map(({ text }) => text)).toEqual([expect.stringContaining('is back in its composer')]);
  });

  it('who took an urgent prompt back keeps it, whatever becomes of the next urgent one', () => {
    const takenBack = () => {
      const s = workingForBoss('urgent');
      const back = screens.composer('[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa');
      s.wait(10_000);
      s.see(back);
      s.wait(2_000);
      s.see(back);
      return s;
    };
    const isHis = { is: 'held', why: 'returned' };

    const held = takenBack();
    held.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'his own words' });
    urgent(held, 'bbbbbbbb', { ...working, humanActiveAt: held.now });
    expect(held.message('bbbbbbbb').state).toMatchObject({ is: 'held', why: 'a human is typing' });
    expect(held.message('aaaaaaaa').state).toMatchObject(isHis);

    const typed = takenBack();
    typed.take(fromBoss('cccccccc'));
    typed.see(screens.composer());
    typed.submitted('typed');
    const text = '[sm] from boss (boss) #cccccccc:\ntext of cccccccc';
    typed.hear({ is: 'prompt-submitted', turnId: 'p2', text });
    urgent(typed, 'bbbbbbbb');
    typed.answer({ of: 'escape', outcome: 'typed' });
    afterEscape(typed, screens.composer(text));
    expect(typed.state.session.attempt?.messages).toEqual(['cccccccc', 'bbbbbbbb']);
    expect(typed.message('aaaaaaaa').state).toMatchObject(isHis);
  });

  it('who sends what he took back has sent the message, also one without a header', () => {
    const s = idleSession();
    const text = '[sm] boss stopped:\ndone';
    s.take(sent({ id: 's1n1', headed: false, text, from: { kind: 'sm' } }));
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text });
    s.wait(10_000);
    s.see(screens.composer(text));
    s.wait(2_000);
    s.see(screens.composer(text));
    expect(s.message('s1n1').state).toMatchObject({ is: 'held', why: 'returned' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(s.message('s1n1').state).toMatchObject({ is: 'answered', turn: 'p2' });
  });

  it('has his draft put aside where the agent can, and is waited for where it cannot', () => {
    const s = idleSession({}, aloneWith({ stash: true }));
    s.send('aaaaaaaa');
    s.see(screens.composer('a thought'));
    expect(s.owed.at(-1)?.effect).toMatchObject({ do: 'submit', stash: true });

    const other = idleSession({}, aloneWith({ stash: true }));
    other.send('aaaaaaaa');
    const both = screens.composer('a thought');
    other.see({ ...both, reading: { ...both.reading, stash: true } as never });
    expect(other.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'draft' });
  });

  it('who typed within the last two seconds is waited for', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see({ ...screens.composer(), humanActiveAt: s.now - 500 });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why: 'a human is typing' });
  });

  it('who scrolls has ten seconds; then the mode is left and the message typed', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    for (let i = 0; i < 30 && !owedKinds(s).includes('leave-copy-mode'); i += 1) {
      if (owedKinds(s).includes('look')) s.see(screens.scrolled());
      s.wait(500);
    }
    expect(s.now - 1_000_000).toBeGreaterThanOrEqual(10_000);
    expect(s.now - 1_000_000).toBeLessThan(14_000);
    s.answer({ of: 'leave-copy-mode' });
    s.see(screens.composer());
    expect(owedKinds(s)).toEqual(['submit']);
  });
});
