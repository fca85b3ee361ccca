import { describe, expect, it } from 'vitest';
import {
  idleSession,
  killIt,
  launched,
  screens,
  testSession,
  workingSession,
} from '../../../test/support/session.ts';

describe('the phase of a session', () => {
  it('is starting from its creation until the agent says that it is there', () => {
    const s = testSession();
    expect(s.phase).toBe('starting');
    expect(s.owed.map(({ effect }) => effect.do)).toEqual(['launch']);
    s.answer(launched);
    expect(s.phase).toBe('starting');
    s.hear({ is: 'agent-started' });
    expect(s.phase).toBe('idle');
  });

  it('is exited, with the reason, when it could not be started', () => {
    const s = testSession();
    s.answer({ of: 'launch', outcome: 'failed', why: 'no such program' });
    expect(s.phase).toBe('exited');
    expect(s.state.session.process).toMatchObject({
      killed: false,
      reason: expect.stringContaining('no such'),
    });
  });

  it('goes from idle to working and back with a turn, and keeps its last words', () => {
    const s = idleSession();
    s.hear({ is: 'prompt-submitted', turnId: 'p1' });
    expect(s.phase).toBe('working');
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'done' });
    expect(s.phase).toBe('idle');
    expect(s.state.session.lastTurn).toMatchObject({ id: 'p1', end: 'ended', lastWords: 'done' });
  });

  it('is idle after a turn that failed, with the error as its last words', () => {
    const s = workingSession();
    s.hear({ is: 'turn-ended', end: 'failed', turnId: 'p1', lastWords: 'overloaded' });
    expect(s.phase).toBe('idle');
    expect(s.state.session.lastTurn).toMatchObject({ end: 'failed', lastWords: 'overloaded' });
  });

  it('is blocked while a permission is asked for', () => {
    const s = workingSession();
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'rm', text: 'Bash: rm -r x' });
    expect(s.phase).toBe('blocked');
    expect(s.state.session.question).toMatchObject({ kind: 'permission', text: 'Bash: rm -r x' });
  });

  it('is compacting from the beginning of a compaction to its end', () => {
    const s = workingSession();
    s.hear({ is: 'compaction-began' });
    expect(s.phase).toBe('compacting');
    s.hear({ is: 'compaction-ended' });
    expect(s.phase).toBe('working');
  });

  it('is exited when the process ended, and its turn has died with it', () => {
    const s = workingSession();
    s.hear({ is: 'process-exited', code: 3, screen: 'Segmentation fault' }, { source: 'pane' });
    expect(s.phase).toBe('exited');
    expect(s.state.session.process).toMatchObject({
      code: 3,
      reason: 'exit code 3',
      screen: 'Segmentation fault',
    });
    expect(s.state.session.lastTurn).toMatchObject({ id: 'p1', end: 'died' });
    expect(s.owed.map(({ effect }) => effect.do)).toContain('bury');
  });

  it('is lost when the pane is gone, and the process is remembered', () => {
    const s = workingSession();
    s.hear({ is: 'process-gone', why: 'the tmux server is gone' }, { source: 'pane' });
    expect(s.phase).toBe('lost');
    expect(s.state.session.process).toMatchObject({ pid: 77, startedAt: 'then' });
  });

  it('does not change when the process ends that is being killed already', () => {
    const s = workingSession();
    s.take(killIt);
    s.hear({ is: 'process-exited' }, { source: 'pane' });
    expect(s.state.session.process.state).toBe('ending');
    s.answer({ of: 'kill' });
    expect(s.state.session.process).toMatchObject({ state: 'exited', killed: true });
  });

  it('is known from the first prompt, when the start of the agent was never told', () => {
    const s = testSession();
    s.answer(launched);
    s.hear({ is: 'prompt-submitted', turnId: 'p1' });
    expect(s.phase).toBe('working');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.phase).toBe('idle');
  });
});

describe('a session that the daemon finds again after its own restart', () => {
  it('is looked at once, and works if the screen says so', () => {
    const s = idleSession();
    s.take({ type: 'adopted' });
    s.see(screens.composer('', 'working'));
    expect(s.phase).toBe('working');
  });

  it('stays idle if the screen shows nothing else', () => {
    const s = idleSession();
    s.take({ type: 'adopted' });
    s.see(screens.composer());
    expect(s.phase).toBe('idle');
  });

  it('is not looked at when it has no process', () => {
    const s = testSession();
    expect(s.take({ type: 'adopted' }).effects).toEqual([]);
  });

  it('believes the hook that came during the look rather than the look', () => {
    const s = workingSession();
    s.take({ type: 'adopted' });
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.see(screens.composer('', 'working'));
    expect(s.phase).toBe('idle');
  });

  it('still believes the look when only a usage sample came during it', () => {
    const s = idleSession();
    s.take({ type: 'adopted' });
    const usage = { percentage: 10, tokens: 1, windowSize: 10, model: null, costUsd: null };
    s.hear({ is: 'usage', usage });
    s.see(screens.dialog('Trust this folder?'));
    expect(s.phase).toBe('blocked');
  });
});
