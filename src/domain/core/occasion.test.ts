import { describe, expect, it } from 'vitest';
import { idleSession, killIt, type testSession, workingSession } from '../../../test/support/session.ts';
import { eventName } from './event.ts';
import { occasionEvents, occasionOf } from './occasion.ts';

const told = (s: ReturnType<typeof testSession>) => s.events.flatMap((body) => occasionOf(body) ?? []);

describe('an occasion', () => {
  it('is a turn that ended by itself or failed, and no other end of a turn', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2' });
    s.hear({ is: 'turn-ended', end: 'failed', turnId: 'p2' });
    s.hear({ is: 'prompt-submitted', turnId: 'p3' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p3' });
    expect(told(s)).toEqual(['finished', 'failed']);
  });

  it('is a question', () => {
    const s = workingSession();
    s.hear({ is: 'permission-asked', turnId: 'p1', text: 'Bash: rm' });
    expect(told(s)).toEqual(['waiting']);
  });

  it('is a death, unless somebody killed it or it ended well', () => {
    const died = idleSession();
    died.hear({ is: 'process-exited', code: 3 }, { source: 'pane' });
    expect(told(died)).toEqual(['died']);
    const lost = idleSession();
    lost.hear({ is: 'process-gone' }, { source: 'pane' });
    expect(told(lost)).toEqual(['died']);
    const left = idleSession();
    left.hear({ is: 'process-exited', code: 0 }, { source: 'pane' });
    expect(told(left)).toEqual([]);
    const killed = idleSession();
    killed.take(killIt);
    killed.answer({ of: 'kill' });
    expect(told(killed)).toEqual([]);
  });

  it('is a limit that is reached', () => {
    const evidence = { source: 'hook', id: 'f1', at: 1 } as const;
    const reached = { type: 'limit', step: 'reached', text: 'until 14:00', until: null, evidence } as const;
    expect(occasionOf(reached)).toBe('limit');
    expect(occasionOf({ type: 'limit', step: 'over', why: 'a turn began' })).toBeNull();
  });

  it('is of an event that is listed', () => {
    const s = workingSession();
    s.hear({ is: 'permission-asked', turnId: 'p1', text: 'Bash: rm' });
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    for (const body of s.events)
      if (occasionOf(body) !== null) expect(occasionEvents).toContain(eventName(body));
  });
});
