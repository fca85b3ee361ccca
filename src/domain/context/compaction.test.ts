import { describe, expect, it } from 'vitest';
import { aloneWith, idleSession, screens, workingSession } from '../../../test/support/session.ts';

const sample = (percentage: number | null) => ({
  is: 'usage' as const,
  usage: { percentage, tokens: 1, windowSize: 10, model: null, costUsd: null },
});

/** It works, its context is 80 % full, and it has begun to compact. */
function compacting() {
  const s = workingSession();
  s.hear(sample(80));
  s.wait(1);
  s.hear({ is: 'compaction-began' });
  return s;
}

describe('a compaction', () => {
  it.each([
    ['the agent starts afresh', { is: 'agent-started', source: 'compact' }],
    ['the agent says so', { is: 'compaction-ended' }],
    ['a prompt is taken', { is: 'prompt-submitted', turnId: 'p2' }],
    ['the turn ends', { is: 'turn-ended', turnId: 'p1' }],
    ['the conversation ends', { is: 'context-ended' }],
    ['the context is emptier', sample(12)],
    ['the context is told to be unknown', sample(null)],
  ] as const)('is over when %s', (_, fact) => {
    const s = compacting();
    s.hear(fact);
    expect(s.phase).not.toBe('compacting');
    expect(s.eventsOf('compaction ended')).toHaveLength(1);
  });

  it('is not over for a sample from before, which is as full as the last', () => {
    const s = compacting();
    s.hear(sample(80));
    s.hear(sample(12), { at: s.now - 60_000 });
    expect(s.phase).toBe('compacting');
  });

  it('is not over for the activity of a tool', () => {
    const s = compacting();
    s.hear({ is: 'activity', turnId: 'p1', subject: 'ls' });
    expect(s.phase).toBe('compacting');
  });

  it('that never happened is over when the screen stays idle, so that messages are not kept', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'compaction-began', trigger: 'manual' });
    s.send('aaaaaaaa');
    s.wait(10_000);
    s.see(screens.composer());
    expect(s.phase).toBe('compacting');
    s.wait(2_000);
    s.see(screens.composer());
    expect(s.phase).toBe('idle');
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa']);
  });

  it('is believed in for half an hour at most', () => {
    const s = compacting();
    for (let seconds = 0; seconds < 1_799; seconds += 1) {
      s.wait(1_000);
      if (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer('', 'working'));
    }
    expect(s.phase).toBe('compacting');
    s.wait(1_000);
    expect(s.phase).toBe('working');
    expect(s.eventsOf('compaction ended')).toMatchObject([{ why: expect.stringContaining('30 minutes') }]);
  });

  it.each([
    ['/compact', '/compact'],
    ['/compact', '/compact keep the plan'],
    ['/shrink', '/shrink'],
  ])(
    'that we asked for (%s: %s) proves that our command was taken: what waits goes as soon as it is over',
    (compact, command) => {
      const s = idleSession({}, aloneWith({ commandTo: { clear: '/clear', compact } }));
      s.take({ type: 'slash', id: 'c1', command, by: { kind: 'person' } });
      s.see(screens.composer());
      s.submitted('typed');
      s.hear({ is: 'compaction-began', trigger: 'manual' });
      s.send('aaaaaaaa');
      expect(s.state.session.attempt).toBeNull();
      s.hear({ is: 'compaction-ended' });
      expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa']);
    },
  );

  it('begins once, however often it is told', () => {
    const s = compacting();
    s.hear({ is: 'compaction-began' });
    expect(s.eventsOf('compaction began')).toHaveLength(1);
  });
});

describe('usage samples', () => {
  it('count in the order in which they were taken', () => {
    const s = workingSession();
    s.wait(100);
    s.hear(sample(40));
    s.hear(sample(30), { at: s.now - 50 });
    expect(s.state.session.usage?.percentage).toBe(40);
    s.hear(sample(50), { at: s.now });
    expect(s.state.session.usage?.percentage).toBe(50);
  });
});
