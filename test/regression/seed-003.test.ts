// The context monitor, in virtual time; the tests are named after the items of that plan. The scripts and the posts are
// in test/e2e, the real agent in test/agents.
import { describe, expect, it } from 'vitest';
import { alone, idleSession, screens, type TestSession, workingSession } from '../support/session.ts';

const usage = (percentage: number | null, providerId = 'c1') => ({
  is: 'usage' as const,
  providerId,
  usage: { percentage, tokens: 123_456, windowSize: 200_000, model: null, costUsd: null },
});
const marks = (s: TestSession) => s.eventsOf('usage marked').map(({ mark }) => mark);
const said = (s: TestSession) =>
  s.eventsOf('message queued').map(({ message, mode }) => `${mode}: ${s.message(message).text}`);

describe('2. one-shot flags', () => {
  it('Warning flag fires once at 50%, suppressed on repeat calls', () => {
    const s = workingSession();
    for (const percentage of [49.9, 50, 50, 55, 64]) s.hear(usage(percentage));
    expect(said(s)).toEqual([
      'sequential: [sm context] Context at 50% (123,456 tokens). Consider writing a handoff doc and running `sm handoff <path>`.',
    ]);
  });

  it('Critical flag fires once at 65%, suppressed on repeat', () => {
    const s = workingSession();
    for (const percentage of [65, 66, 90, 65]) s.hear(usage(percentage));
    expect(said(s)).toEqual([
      'urgent: [sm context] Context at 65% — critically high. Write your handoff doc NOW and run `sm handoff <path>`. Compaction is imminent.',
    ]);
  });

  it('a jump from 40 to 70 sends only critical', () => {
    const s = workingSession();
    for (const percentage of [40, 70, 55]) s.hear(usage(percentage));
    expect(marks(s)).toEqual(['critical']);
  });

  it('Both flags reset on compaction, even if the context stays above the warning mark', () => {
    const s = workingSession();
    s.hear(usage(70));
    s.hear({ is: 'compaction-began' });
    s.hear({ is: 'compaction-ended' });
    s.wait(1);
    s.hear(usage(55));
    expect(marks(s)).toEqual(['critical', 'warning']);
  });

  it('and even if nothing follows the PreCompact', () => {
    const s = workingSession();
    s.hear(usage(70));
    s.hear({ is: 'compaction-began' });
    expect(s.state.session.cycle.mark).toBeNull();
  });

  it('Flags reset when a handoff is done, and not before', () => {
    const s = workingSession();
    s.hear(usage(70));
    s.take({ type: 'handoff', by: { kind: 'session', id: 's1' }, path: '/doc.md', auto: false });
    s.take({
      type: 'withdraw',
      id: s.eventsOf('message queued')[0]?.message as string,
      by: { kind: 'person' },
    });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.answer({ of: 'check-document', outcome: 'kept', copy: '/copy.md' });
    while (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer());
    s.submitted('typed');
    s.hear({ is: 'context-ended', reason: 'clear' });
    s.hear({ is: 'agent-started', providerId: 'c2', source: 'clear' });
    expect(s.state.session.cycle.mark).toBe('critical');
    s.see(screens.composer());
    s.submitted('typed');
    s.hear({
      is: 'prompt-submitted',
      turnId: 'p2',
      providerId: 'c2',
      text: 'Read /doc.md and continue from where you left off.',
    });
    expect(s.state.session.cycle.mark).toBeNull();
  });

  it('Anti-regression: flags are not reset by a sample that falls below', () => {
    const s = workingSession();
    for (const percentage of [55, 10, 55, 70, 10, 70]) s.hear(usage(percentage));
    expect(marks(s)).toEqual(['warning', 'critical']);
  });

  it('a clear begins a new cycle, and takes back what still waits of the old one', () => {
    const s = workingSession();
    s.hear(usage(55));
    s.hear({ is: 'context-ended', reason: 'clear' });
    s.hear({ is: 'agent-started', providerId: 'c2', source: 'clear' });
    expect(s.message(s.eventsOf('message queued')[0]?.message as string).state.is).toBe('withdrawn');
    s.hear(usage(55, 'c2'));
    expect(marks(s)).toEqual(['warning', 'warning']);
  });
});

describe('5. edge cases', () => {
  it('used_percentage is null: nothing happens', () => {
    const s = workingSession();
    s.hear(usage(40));
    s.hear(usage(null));
    expect(s.state.session.usage?.percentage).toBe(40);
    expect(marks(s)).toEqual([]);
  });

  it('a sample of an older context, or from before the last one, changes nothing', () => {
    const s = workingSession();
    s.wait(1_000);
    s.hear(usage(40));
    s.hear(usage(70, 'c0'));
    s.hear(usage(70), { at: s.now - 500 });
    expect(s.state.session.usage?.percentage).toBe(40);
    expect(marks(s)).toEqual([]);
  });

  it('a sample from before a compaction that comes after it fires nothing', () => {
    const s = workingSession();
    s.hear({ is: 'compaction-began' });
    s.wait(1_000);
    s.hear({ is: 'compaction-ended' });
    s.hear(usage(80), { at: s.now - 500 });
    expect(marks(s)).toEqual([]);
  });

  it('samples during a compaction fire nothing', () => {
    const s = workingSession();
    s.hear(usage(40));
    s.hear({ is: 'compaction-began' });
    s.hear(usage(80));
    expect(marks(s)).toEqual([]);
  });

  it('many rapid samples leave a thin history: one for each whole point', () => {
    const s = workingSession();
    for (let percentage = 10; percentage < 12; percentage += 0.1) s.hear(usage(percentage));
    expect(s.eventsOf('usage sampled')).toHaveLength(2);
  });

  it('a monitor that is off says nothing, and another session may hear of the marks', () => {
    const s = workingSession();
    s.take({ type: 'monitor-context', enabled: false, notify: null, by: { kind: 'person' } });
    s.hear(usage(70));
    expect(marks(s)).toEqual([]);
    s.take({ type: 'monitor-context', enabled: true, notify: 'boss', by: { kind: 'session', id: 'boss' } });
    s.hear(usage(71));
    const posts = s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [effect.text] : []));
    expect(posts).toEqual(['[sm context] scripted-s1 (s1) is at 71% of its context.']);
    const stranger = { kind: 'session', id: 'other' } as const;
    expect(s.refusal({ type: 'monitor-context', enabled: false, notify: null, by: stranger }).code).toBe(
      'forbidden',
    );
  });
});

describe('an automatic handoff', () => {
  const auto = { ...alone.settings, context: { ...alone.settings.context, autoHandoff: true } };

  it('asks for the document at the critical mark, and rotates once it stands, without a further call', () => {
    const s = idleSession({}, { ...alone, settings: auto });
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
    s.hear(usage(70));
    expect(said(s)[0]).toContain('Write your handoff doc NOW to /handoffs/s1/auto.md and end your turn');
    s.take({
      type: 'withdraw',
      id: s.eventsOf('message queued')[0]?.message as string,
      by: { kind: 'person' },
    });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.phase).toBe('rotating');
    // Not yet: nothing is told of a failure, and the session goes on.
    s.answer({ of: 'check-document', outcome: 'bad', why: 'it is not there' });
    expect(s.phase).toBe('idle');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'write it' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(s.owed.find(({ effect }) => effect.do === 'check-document')?.effect).toMatchObject({
      newerThan: expect.any(Number),
    });
    s.answer({ of: 'check-document', outcome: 'kept', copy: '/copy.md' });
    expect(s.state.session.handoff?.step).toBe('clearing');
  });

  it('is off unless somebody wants it', () => {
    const s = workingSession();
    s.hear(usage(70));
    expect(s.state.session.handoff).toBeNull();
    const own = workingSession();
    own.take({ type: 'handoff', by: { kind: 'session', id: 's1' }, path: '/mine.md', auto: true });
    expect(own.state.session.handoff).toBeNull();
    own.hear(usage(70));
    expect(own.state.session.handoff).toMatchObject({ path: '/mine.md', step: 'scheduled' });
  });
});
