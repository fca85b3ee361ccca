import { describe, expect, it } from 'vitest';
import { idleSession, screens, typedSession, workingSession } from '../../../test/support/session.ts';

describe('a turn', () => {
  it('is one, though hook and transcript both tell its prompt', () => {
    const s = idleSession();
    s.hear({ is: 'prompt-submitted', turnId: 'p1' });
    s.hear({ is: 'prompt-submitted', turnId: 'p1' }, { source: 'transcript' });
    expect(s.eventsOf('turn began')).toHaveLength(1);
    expect(s.phase).toBe('working');
  });

  it('ends once, though hook and transcript both tell its end', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'done' });
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'late' }, { source: 'transcript' });
    expect(s.eventsOf('turn ended')).toHaveLength(1);
    expect(s.state.session.lastTurn?.lastWords).toBe('done');
    expect(s.eventsOf('fact-set-aside')).toEqual([]);
  });

  it('is not begun again by the prompt, activity or question that is told after its end', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'prompt-submitted', turnId: 'p1' }, { source: 'transcript' });
    s.hear({ is: 'activity', turnId: 'p1', subject: 'ls' });
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'ls' });
    expect(s.phase).toBe('idle');
    expect(s.eventsOf('turn began')).toHaveLength(1);
  });

  it('is not cut short by what is told late of the turns before it', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    s.hear({ is: 'prompt-submitted', turnId: 'p3' });
    s.hear({ is: 'prompt-submitted', turnId: 'p1' }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p1' }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p2' }, { source: 'transcript' });
    expect(s.state.session.turn?.id).toBe('p3');
    expect(s.eventsOf('turn ended')).toHaveLength(2);
  });

  it('whose end is told before its start ends as soon as it starts', () => {
    const s = idleSession();
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'quick' });
    expect(s.eventsOf('turn ended')).toEqual([]);
    s.hear({ is: 'prompt-submitted', turnId: 'p1' });
    expect(s.phase).toBe('idle');
    expect(s.state.session).toMatchObject({ lastTurn: { id: 'p1', lastWords: 'quick' }, earlyEnds: [] });
  });

  it('that was only seen on the screen gets its id from the first fact, and ends if its end was told', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.take({ type: 'adopted' });
    s.see(screens.composer('', 'working'));
    expect(s.state.session.turn?.id).toBeNull();
    s.hear({ is: 'activity', turnId: 'p2' });
    expect(s.phase).toBe('idle');
    expect(s.state.session.lastTurn?.id).toBe('p2');
  });

  it('that was only seen on the screen is not ended by the late end of the one before', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.take({ type: 'adopted' });
    s.see(screens.composer('', 'working'));
    s.hear({ is: 'turn-ended', turnId: 'p1' }, { source: 'transcript' });
    expect(s.phase).toBe('working');
  });

  it('that was only seen on the screen is not ended by an end that was told before it was seen', () => {
    const s = idleSession();
    s.hear({ is: 'turn-ended', turnId: 'p0' });
    s.take({ type: 'adopted' });
    s.see(screens.composer('', 'working'));
    s.hear({ is: 'turn-ended', turnId: 'p0' }, { source: 'transcript' });
    expect(s.phase).toBe('working');
  });

  it('is interrupted by the interrupt that names it, and by no other', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p0' }, { source: 'transcript' });
    expect(s.phase).toBe('working');
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(s.state.session.lastTurn).toMatchObject({ id: 'p1', end: 'interrupted' });
  });

  it('is over when the next prompt is taken', () => {
    const s = workingSession();
    s.hear({ is: 'prompt-submitted', turnId: 'p2' });
    expect(s.eventsOf('turn ended')).toMatchObject([{ turn: 'p1', end: 'unknown' }]);
    expect(s.state.session.turn?.id).toBe('p2');
  });

  it('goes on when a prompt without an id is told in the middle of it', () => {
    const s = workingSession();
    s.hear({ is: 'prompt-submitted', turnId: null });
    expect(s.state.session.turn?.id).toBe('p1');
  });

  it('begins with the first activity when its prompt was never told', () => {
    const s = idleSession();
    s.hear({ is: 'activity', turnId: 'p1', subject: 'ls' });
    expect(s.state.session.turn?.id).toBe('p1');
  });

  it('does not begin in a session that has ended', () => {
    const s = workingSession();
    s.hear({ is: 'process-exited' }, { source: 'pane' });
    s.hear({ is: 'activity', turnId: 'p2' });
    s.hear({ is: 'permission-asked', turnId: 'p3', text: 'may I?' });
    s.hear({ is: 'compaction-began' });
    expect(s.phase).toBe('exited');
    expect(s.eventsOf('question asked')).toEqual([]);
  });
});

describe('a prompt with our messages', () => {
  const prompt = '[sm] from the user #aaaaaaaa:\ntext\n\n[sm] from the user #bbbbbbbb:\ntext';

  it('has them answered when its turn ends', () => {
    const s = typedSession('aaaaaaaa', 'bbbbbbbb');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'accepted', turn: 'p2' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(s.message('bbbbbbbb').state).toMatchObject({ is: 'answered', turn: 'p2' });
  });

  it('counts once, told by hook and by transcript, also after the end', () => {
    const s = typedSession('aaaaaaaa', 'bbbbbbbb');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt }, { source: 'transcript' });
    expect(s.eventsOf('message accepted')).toHaveLength(2);
    expect(s.eventsOf('message answered')).toHaveLength(2);
  });

  it('proves them accepted though it is told after the end of its turn', () => {
    const s = typedSession('aaaaaaaa', 'bbbbbbbb');
    s.hear({ is: 'activity', turnId: 'p2' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt });
    expect(s.message('aaaaaaaa').state.is).toBe('answered');
    expect(s.state.session.attempt).toBeNull();
  });

  it('proves them accepted though the agent has died since', () => {
    const s = typedSession('aaaaaaaa', 'bbbbbbbb');
    s.hear({ is: 'process-exited', code: 1 }, { source: 'pane' });
    expect(s.message('aaaaaaaa').state.is).toBe('queued');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'died', turn: 'p2', why: 'exit code 1' });
    expect(s.state.session.lastTurn).toMatchObject({ id: 'p2', end: 'died' });
  });

  it('that was typed during a turn and is told after its end belongs to the turn that takes it up', () => {
    const s = workingSession();
    s.send('aaaaaaaa', 'text', 'important');
    s.see(screens.composer('', 'working'));
    s.submitted('typed');
    const text = '[sm] from the user #aaaaaaaa:\ntext';
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'accepted', turn: null });
    expect(s.phase).toBe('working');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', turnId: 'p2' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'answered', turn: 'p2' });
  });

  it('that came back to the human and was sent again belongs to the turn that it starts then', () => {
    const s = typedSession('aaaaaaaa', 'bbbbbbbb');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt });
    s.hear({ is: 'prompt-submitted', turnId: 'p3', text: prompt });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'accepted', turn: 'p3' });
    s.hear({ is: 'turn-ended', turnId: 'p3' });
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'answered', turn: 'p3' });
    expect(s.eventsOf('message answered')).toHaveLength(2);
  });
});

describe('our Escape at a turn for which something was enqueued', () => {
  it('cuts that turn, whose messages go on; the next one, which it sent, is cut by a human or not at all', () => {
    const prompt = (id: string) => `[sm] from the user #${id}:\ntext of ${id}`;
    const s = typedSession('aaaaaaaa');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('aaaaaaaa') });
    s.send('bbbbbbbb', 'text of bbbbbbbb', 'important');
    s.see(screens.composer('', 'working'));
    s.submitted('typed');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: prompt('bbbbbbbb') });
    s.send('cccccccc', 'text of cccccccc', 'urgent');
    s.see(screens.composer('', 'working'));
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'prompt-submitted', turnId: 'p3', text: prompt('bbbbbbbb') }, { source: 'transcript' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p2' }, { source: 'transcript' });
    expect(s.state.session.carried).toEqual(['aaaaaaaa']);
    expect(s.state.session.turn).toMatchObject({ id: 'p3', messages: ['bbbbbbbb'] });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p3' }, { source: 'transcript' });
    expect(s.message('bbbbbbbb').state.is).toBe('interrupted');
    expect(s.message('aaaaaaaa').state.is).toBe('accepted');
  });
});
