import { describe, expect, it } from 'vitest';
import {
  idleSession,
  killIt,
  screens,
  type TestSession,
  workingSession,
} from '../../../test/support/session.ts';
import { person } from '../core/names.ts';
import { mostCommands } from './commands.ts';

const slash = (command: string) => ({ type: 'slash', id: `c${command}`, command, by: person }) as const;
const submits = (s: TestSession) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'submit' ? [effect.text] : []));
const waiting = (s: TestSession) => (s.state.session.commands ?? []).map(({ text, is }) => `${text} ${is}`);
const typed = (s: TestSession) => s.eventsOf('command typed').map(({ command }) => command);
const failed = (s: TestSession) =>
  s.eventsOf('command failed').map(({ command, why }) => `${command}: ${why}`);

/** It is gone from the composer when it is looked at again. */
function isTaken(s: TestSession): void {
  s.wait(1_500);
  s.see(screens.composer());
}

describe('a command', () => {
  it('is typed into an idle agent at once, and told as typed when its keys went out', () => {
    const s = idleSession();
    s.take(slash('/model opus'));
    s.see(screens.composer());
    expect(submits(s)).toEqual(['/model opus']);
    expect(typed(s)).toEqual([]);
    s.submitted('typed');
    expect(typed(s)).toEqual(['/model opus']);
    isTaken(s);
    expect(waiting(s)).toEqual([]);
  });

  it('waits for the one before it', () => {
    const s = idleSession();
    s.take(slash('/model opus'));
    s.take(slash('/compact'));
    expect(waiting(s)).toEqual(['/model opus looking', '/compact waiting']);
    s.see(screens.composer());
    s.submitted('typed');
    expect(typed(s)).toEqual(['/model opus']);
    isTaken(s);
    s.see(screens.composer());
    expect(submits(s)).toEqual(['/compact']);
    s.submitted('typed');
    s.hear({ is: 'compaction-began', trigger: 'manual' });
    expect(typed(s)).toEqual(['/model opus', '/compact']);
    expect(waiting(s)).toEqual([]);
  });

  it('waits for the end of a turn, and goes before a message that came after it', () => {
    const s = workingSession();
    s.send('aaaaaaaa');
    s.take(slash('/model opus'));
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa']);
    const other = workingSession();
    other.take(slash('/model opus'));
    other.send('aaaaaaaa');
    other.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(other.state.session.attempt).toMatchObject({ types: { is: 'slash' }, messages: [] });
    other.see(screens.composer());
    other.submitted('typed');
    isTaken(other);
    expect(other.state.session.attempt?.messages).toEqual(['aaaaaaaa']);
  });

  it('waits for something urgent', () => {
    const s = workingSession();
    s.take(slash('/model opus'));
    s.send('aaaaaaaa', 'now', 'urgent');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa']);
  });

  it('that could not be typed because a turn began waits again', () => {
    const s = idleSession();
    s.take(slash('/model opus'));
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'a human was faster' });
    s.see(screens.composer('', 'working'));
    expect(waiting(s)).toEqual(['/model opus waiting']);
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.see(screens.composer());
    expect(submits(s)).toEqual(['/model opus']);
  });

  it('ends with an event when the context is to be cleared, the session is killed or the agent is gone', () => {
    const s = workingSession();
    s.take(slash('/model opus'));
    s.take({ type: 'clear', by: person, prompt: null });
    expect(failed(s)).toEqual(['/model opus: the session is being cleared']);
    const killed = workingSession();
    killed.take(slash('/a'));
    killed.take(slash('/b'));
    killed.take(killIt);
    expect(failed(killed)).toEqual(['/a: the session was killed', '/b: the session was killed']);
    const gone = idleSession();
    gone.take(slash('/a'));
    gone.hear({ is: 'process-gone' }, { source: 'pane' });
    expect(failed(gone)).toEqual(['/a: the agent is gone']);
    for (const each of [s, killed, gone]) expect(waiting(each)).toEqual([]);
  });

  it('whose keys are out is waited for when the context is to be cleared', () => {
    const s = idleSession();
    s.take(slash('/model opus'));
    s.take(slash('/b'));
    s.see(screens.composer());
    s.submitted('typed');
    s.take({ type: 'clear', by: person, prompt: null });
    expect(failed(s)).toEqual(['/b: the session is being cleared']);
    expect(waiting(s)).toEqual(['/model opus typed']);
  });

  it('of which nobody can say whether it was typed is not told as typed', () => {
    const s = idleSession();
    s.take(slash('/model opus'));
    s.see(screens.composer());
    s.submitted('unknown');
    isTaken(s);
    expect(typed(s)).toEqual([]);
    expect(failed(s)).toEqual([expect.stringContaining('unknown whether it was typed')]);
  });

  it('is one line with a slash, and at most so many wait', () => {
    const s = workingSession();
    expect(s.refusal(slash('ls')).code).toBe('invalid');
    for (let n = 0; n < mostCommands; n += 1) s.take(slash(`/c${n}`));
    expect(s.refusal(slash('/more'))).toMatchObject({ code: 'conflict' });
  });
});
