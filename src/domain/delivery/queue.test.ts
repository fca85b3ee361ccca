import { describe, expect, it } from 'vitest';
import {
  attemptingSession,
  idleSession,
  launched,
  screens,
  sent,
  testSession,
  workingSession,
} from '../../../test/support/session.ts';
import { lookAtOf } from '../core/parts.ts';

const typedTexts = (s: ReturnType<typeof idleSession>) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'submit' ? [effect.text] : []));

describe('a message to an idle session', () => {
  it('is looked for, typed with its header, accepted on evidence and answered at the end of its turn', () => {
    const s = idleSession();
    s.send('aaaaaaaa', 'hello');
    expect(s.message('aaaaaaaa').state.is).toBe('queued');
    s.see(screens.composer());
    expect(typedTexts(s)).toEqual(['[sm] from the user #aaaaaaaa:\nhello']);
    expect(s.message('aaaaaaaa').state.is).toBe('typed');
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: '[sm] from the user #aaaaaaaa:\nhello' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'accepted', evidence: { source: 'hook' } });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.message('aaaaaaaa').state.is).toBe('answered');
    expect(s.owed).toEqual([]);
  });

  it('may be proven before the typing itself is reported', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see(screens.composer());
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: '[sm] from the user #aaaaaaaa:\nx' });
    s.submitted('typed');
    expect(s.message('aaaaaaaa').state.is).toBe('accepted');
    expect(s.state.session.attempt).toBeNull();
  });

  it('is the row that is there when it is sent twice', () => {
    const s = workingSession();
    s.send('aaaaaaaa', 'first');
    s.send('aaaaaaaa', 'second');
    expect(s.message('aaaaaaaa').text).toBe('first');
    expect(s.eventsOf('message queued')).toHaveLength(1);
  });
});

describe('a message whose moment is not there', () => {
  it('waits until the agent is ready, when it is the first prompt of a spawn', () => {
    const s = testSession({ prompt: sent({ id: 'aaaaaaaa', text: 'begin' }) });
    s.answer(launched);
    expect(s.owed).toEqual([]);
    s.hear({ is: 'agent-started' });
    expect(s.owed.map(({ effect }) => effect.do)).toEqual(['look']);
  });

  it('waits while the session works, is blocked or compacts', () => {
    const s = workingSession();
    s.send('aaaaaaaa');
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'rm' });
    s.hear({ is: 'activity', turnId: 'p1', subject: 'rm' });
    s.hear({ is: 'compaction-began' });
    expect(s.state.session.attempt).toBeNull();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa']);
  });

  it('waits for the restore of a session that has exited', () => {
    const s = idleSession();
    s.hear({ is: 'process-exited' }, { source: 'pane' });
    s.send('aaaaaaaa');
    expect(s.message('aaaaaaaa').state.is).toBe('queued');
    expect(s.state.session.attempt).toBeNull();
  });
});

describe('messages that wait together', () => {
  it('go as one prompt, in their order, the more urgent first', () => {
    const s = testSession();
    s.answer(launched);
    s.send('aaaaaaaa', 'one');
    s.send('bbbbbbbb', 'two', 'important');
    s.send('cccccccc', 'three');
    s.send('dddddddd', 'four', 'urgent');
    s.hear({ is: 'agent-started' });
    expect(s.state.session.attempt?.messages).toEqual(['dddddddd', 'bbbbbbbb', 'aaaaaaaa', 'cccccccc']);
    s.see(screens.composer());
    expect(typedTexts(s)[0]?.match(/^\[sm\].*$/gm)).toHaveLength(4);
  });

  it('are at most twenty', () => {
    const s = workingSession();
    for (let i = 0; i < 25; i += 1) s.send(`aaaaaa${10 + i}`);
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.state.session.attempt?.messages).toHaveLength(20);
  });

  it('are at most 64 KB as bytes, not as characters', () => {
    const s = workingSession();
    for (const id of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc']) s.send(id, '€'.repeat(10_000));
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa', 'bbbbbbbb']);
  });

  it('may be one that is larger than that by itself', () => {
    const s = workingSession();
    s.send('aaaaaaaa', 'x'.repeat(1_000_000));
    s.send('bbbbbbbb');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa']);
  });
});

describe('a pane that does not allow typing', () => {
  it.each([
    ['the screen is not recognised', screens.unknown()],
    ['the pane is gone', null],
  ])('as while an agent draws, holds the message only if it lasts: %s', (why, look) => {
    const s = idleSession();
    s.send('aaaaaaaa');
    for (const wait of [50, 100, 200]) {
      s.see(look);
      expect(s.message('aaaaaaaa').state.is).toBe('queued');
      s.wait(wait);
    }
    s.see(look);
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why });
    s.wait(500);
    s.see(screens.composer());
    expect(s.message('aaaaaaaa').state.is).toBe('typed');
  });

  it.each([
    ['draft', screens.composer('half a sent')],
    ['a human is scrolling in the pane', screens.scrolled()],
  ])('holds the message with the reason: %s', (why, look) => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see(look);
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'held', why });
    expect(typedTexts(s)).toEqual([]);
    s.wait(50);
    s.see(screens.composer());
    expect(s.message('aaaaaaaa').state.is).toBe('typed');
  });

  it('is looked at again ever more slowly, and told once', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    const waits = [];
    for (let i = 0; i < 8; i += 1) {
      s.see(screens.composer('a draft'));
      waits.push((lookAtOf(s.state.session.attempt) as number) - s.now);
      s.wait(2_000);
    }
    expect(waits).toEqual([50, 100, 200, 500, 1_000, 2_000, 2_000, 2_000]);
    expect(s.eventsOf('message held')).toHaveLength(1);
  });

  it('with a dialog makes the session blocked, with its text, until the dialog closed', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see(screens.dialog('Trust this folder?'));
    expect(s.phase).toBe('blocked');
    expect(s.state.session.question?.text).toBe('Trust this folder?');
    s.wait(3_000);
    s.see(screens.composer());
    expect(s.phase).toBe('idle');
    s.see(screens.composer());
    expect(s.message('aaaaaaaa').state.is).toBe('typed');
  });

  it('is left alone when a human has begun a turn meanwhile, and the message waits for its end', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see(screens.composer('a draft'));
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'a draft' });
    s.wait(50);
    s.see(screens.composer('', 'working'));
    expect(s.state.session.attempt).toBeNull();
    expect(s.message('aaaaaaaa').state.is).toBe('queued');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa']);
  });
});

describe('a composer that changes between the look and the typing', () => {
  it('leaves the messages waiting in their order, and is looked at again after a moment', () => {
    const s = attemptingSession('aaaaaaaa', 'bbbbbbbb');
    s.send('cccccccc');
    s.see(screens.composer());
    s.submitted('changed');
    expect([...s.state.queue.sequential.keys()]).toEqual(['aaaaaaaa', 'bbbbbbbb', 'cccccccc']);
    expect(s.owed).toEqual([]);
    s.wait(50);
    s.see(screens.composer());
    s.submitted('typed');
    expect(s.message('bbbbbbbb').state.is).toBe('typed');
    expect(s.message('cccccccc').state.is).toBe('queued');
  });

  it('is not typed at in a tight loop, however often it changes', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    const before = s.now;
    for (let i = 0; i < 10; i += 1) {
      s.see(screens.composer());
      s.submitted('changed');
      s.wait((lookAtOf(s.state.session.attempt) as number) - s.now);
    }
    expect(s.now - before).toBeGreaterThan(10_000);
    expect(s.message('aaaaaaaa').state.is).toBe('held');
  });
});
