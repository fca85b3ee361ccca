import { describe, expect, it } from 'vitest';
import { idleSession, screens, testSession, workingSession } from '../../../test/support/session.ts';

const newConversation = { is: 'agent-started', providerId: 'c9', source: 'clear' } as const;

describe('facts of another conversation', () => {
  it('are recorded and change nothing', () => {
    const s = idleSession();
    const { lastActivityAt } = s.state.session;
    s.wait(500);
    for (const is of [
      'prompt-submitted',
      'activity',
      'permission-asked',
      'compaction-began',
      'context-ended',
    ] as const) {
      s.hear({ is, providerId: 'nested', turnId: 'n1' } as never);
    }
    expect(s.phase).toBe('idle');
    expect(s.state.session).toMatchObject({ lastActivityAt, context: { ended: false, used: false } });
    expect(s.eventsOf('fact-set-aside')).toHaveLength(5);
  });

  it('do not end the turn that runs', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', providerId: 'nested', turnId: 'p1' });
    expect(s.phase).toBe('working');
  });

  it('do not keep us from looking', () => {
    const s = workingSession();
    s.wait(9_000);
    s.hear({ is: 'activity', providerId: 'nested', turnId: 'n1' });
    s.wait(1_000);
    expect(s.owed.map(({ effect }) => effect.do)).toEqual(['look']);
  });
});

describe('a conversation that the agent names', () => {
  it('is the first that is told after the launch, and no other', () => {
    const s = testSession({ providerId: null });
    s.hear({ is: 'prompt-submitted', providerId: 'early', turnId: 'p0' });
    expect(s.state.session.context).toMatchObject({ providerId: null, used: false });
    s.hear({ is: 'agent-started', providerId: 'named', source: 'startup' });
    s.hear({ is: 'agent-started', providerId: 'nested', source: 'startup' });
    expect(s.state.session.context).toMatchObject({ number: 1, providerId: 'named' });
  });
});

describe('a new conversation', () => {
  it('is adopted when it starts after the old one has ended', () => {
    const s = workingSession();
    s.hear({ is: 'context-ended', reason: 'clear' });
    expect(s.phase).toBe('idle');
    s.hear({ ...newConversation, transcriptPath: '/t/c9.jsonl' });
    expect(s.state.session.context).toMatchObject({ number: 2, providerId: 'c9', used: false, ended: false });
    expect(s.state.session.context.transcript).toEqual({ path: '/t/c9.jsonl', offset: 0, turnId: null });
    s.hear({ is: 'prompt-submitted', providerId: 'c9', turnId: 'q1' });
    expect(s.phase).toBe('working');
  });

  it('is adopted when its start is told before the end of the old one', () => {
    const s = idleSession();
    const endedAt = s.now;
    s.wait(130);
    s.hear(newConversation);
    expect(s.state.session.context.providerId).toBe('c1');
    s.hear({ is: 'context-ended' }, { at: endedAt });
    expect(s.state.session.context).toMatchObject({ number: 2, providerId: 'c9' });
  });

  it('is not adopted when it was announced before the old one ended: an agent inside ours has cleared', () => {
    const s = idleSession();
    s.hear(newConversation);
    s.wait(60_000);
    s.hear({ is: 'context-ended' });
    expect(s.state.session.context.providerId).toBe('c1');
    s.hear({ ...newConversation, providerId: 'c2' });
    expect(s.state.session.context).toMatchObject({ number: 2, providerId: 'c2' });
  });

  it('is never adopted from an agent that merely starts', () => {
    const s = idleSession();
    s.hear({ is: 'context-ended' });
    s.hear({ is: 'agent-started', providerId: 'nested', source: 'startup' });
    expect(s.state.session.context.providerId).toBe('c1');
  });

  it('takes the question, the compaction and the usage of the old one away', () => {
    const s = workingSession();
    s.hear({ is: 'usage', usage: { percentage: 70, tokens: 7, windowSize: 10, model: null, costUsd: null } });
    s.hear({ is: 'compaction-began' });
    s.hear({ is: 'context-ended' });
    s.hear(newConversation);
    expect(s.state.session).toMatchObject({ question: null, compaction: null, usage: null, turn: null });
  });

  it('ends a turn that was told of the old one after its end', () => {
    const s = idleSession();
    s.hear({ is: 'context-ended' });
    s.hear({ is: 'activity', turnId: 'p7' });
    expect(s.phase).toBe('working');
    s.hear(newConversation);
    expect(s.phase).toBe('idle');
  });

  it('that resumes an old one has something to resume', () => {
    const s = idleSession();
    s.hear({ is: 'context-ended' });
    s.hear({ ...newConversation, source: 'resume' });
    expect(s.state.session.context).toMatchObject({ beganBy: 'resume', used: true });
  });
});

describe('what the agent has enqueued', () => {
  const text = '[sm] from the user #aaaaaaaa:\ntext of aaaaaaaa';
  /** A human's clear waits in the agent, and our message behind it. */
  function enqueued() {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'prompt-enqueued', text }, { source: 'transcript' });
    s.hear({ is: 'context-ended', reason: 'clear' });
    s.hear(newConversation);
    return s;
  }

  it('outlives a clear that waited before it: it is not typed again, and taken up in the new context', () => {
    const s = enqueued();
    expect(s.owed.filter(({ effect }) => effect.do === 'look' || effect.do === 'submit')).toEqual([]);
    s.hear({ is: 'prompt-submitted', turnId: 'q1', providerId: 'c9', text }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'q1', providerId: 'c9' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'answered', turn: 'q1' });
  });

  it('waits again when the agent turns out to be idle without having taken it', () => {
    const s = enqueued();
    for (let look = 0; look < 2; look += 1) {
      s.wait(12_000);
      s.see(screens.composer());
    }
    expect(s.message('aaaaaaaa').state.is).not.toBe('accepted');
  });
});

describe('the transcript', () => {
  it('is read on from where it was read to, and never back', () => {
    const s = idleSession();
    s.hear({ is: 'prompt-submitted', turnId: 'p1', transcriptPath: '/t/a.jsonl' });
    const read = (offset: number, path = '/t/a.jsonl') =>
      s.take({ type: 'transcript-read', transcript: { path, offset, turnId: 'p1' } });
    read(500);
    read(100);
    read(900, '/t/other.jsonl');
    expect(s.state.session.context.transcript).toEqual({ path: '/t/a.jsonl', offset: 500, turnId: 'p1' });
  });
});

describe('a prompt of the context before', () => {
  it('that is told after its clear proves that the agent had the message: it is not typed again', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'context-ended', reason: 'clear' });
    s.hear({ is: 'agent-started', source: 'clear', providerId: 'c2' });
    s.hear({
      is: 'prompt-submitted',
      turnId: 'p1',
      providerId: 'c1',
      text: '[sm] from the user #aaaaaaaa:\ntext of aaaaaaaa',
    });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'cleared', turn: 'p1' });
    expect(s.state.session.attempt).toBeNull();
    expect(s.phase).toBe('idle');
  });

  it('does so also when another clear came after it, told first', () => {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'agent-started', source: 'clear', providerId: 'c3' }, { at: 9_000_000 });
    s.hear({ is: 'context-ended', reason: 'clear' });
    s.hear({ is: 'agent-started', source: 'clear', providerId: 'c2' });
    s.hear({
      is: 'prompt-submitted',
      turnId: 'p1',
      providerId: 'c2',
      text: '[sm] from the user #aaaaaaaa:\ntext of aaaaaaaa',
    });
    expect(s.state.session.context.providerId).toBe('c3');
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'cleared', turn: 'p1' });
  });
});

describe('a conversation whose start nobody told', () => {
  const text = '[sm] from the user #aaaaaaaa:\ntext of aaaaaaaa';
  function typed() {
    const s = idleSession();
    s.send('aaaaaaaa');
    s.see(screens.composer());
    s.submitted('typed');
    return s;
  }

  it('is ours when it takes what we have just typed: no other agent could have that', () => {
    const s = typed();
    s.hear({ is: 'prompt-submitted', turnId: 'p1', providerId: 'c2', text, transcriptPath: '/t/c2.jsonl' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'accepted', turn: 'p1' });
    expect(s.state.session.context).toMatchObject({
      number: 2,
      providerId: 'c2',
      transcript: { path: '/t/c2.jsonl' },
    });
    s.hear({ is: 'agent-started', providerId: 'c2', source: 'clear' });
    s.hear({ is: 'context-ended', reason: 'clear' });
    s.hear({ is: 'turn-ended', turnId: 'p1', providerId: 'c2' });
    expect(s.message('aaaaaaaa').state.is).toBe('answered');
  });

  it('is not ours when it only repeats what we have typed among other words', () => {
    const s = typed();
    s.hear({ is: 'prompt-submitted', turnId: 'p1', providerId: 'nested', text: `Review this:\n${text}` });
    expect(s.message('aaaaaaaa').state.is).toBe('typed');
    expect(s.events.at(-1)).toMatchObject({ type: 'fact-set-aside', fact: 'prompt-submitted' });
  });

  it('is not ours when what it takes is no longer waited for', () => {
    const s = typed();
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text });
    s.hear({ is: 'prompt-submitted', turnId: 'n1', providerId: 'nested', text });
    expect(s.state.session.context.providerId).toBe('c1');
  });
});

describe('a clear that we typed', () => {
  function typedClear() {
    const s = idleSession();
    s.take({ type: 'clear', by: { kind: 'person' }, prompt: null });
    s.see(screens.composer());
    s.submitted('typed');
    return s;
  }

  it('is proven by the new conversation alone: the end of the old one may be lost', () => {
    const s = typedClear();
    s.hear(newConversation);
    expect(s.state.session).toMatchObject({ clear: null, context: { number: 2, providerId: 'c9' } });
    s.hear({ is: 'context-ended', reason: 'clear' });
    expect(s.state.session.context).toMatchObject({ number: 2, ended: false });
  });

  it('is proven by the next one when an earlier one went by unheard', () => {
    const s = typedClear();
    s.hear({ is: 'context-ended', reason: 'clear', providerId: 'unheard' });
    s.hear(newConversation);
    expect(s.state.session).toMatchObject({ clear: null, context: { number: 2, providerId: 'c9' } });
  });
});
