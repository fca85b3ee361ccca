import { describe, expect, it } from 'vitest';
import { idleSession, killIt, screens, typedSession, workingSession } from '../../../test/support/session.ts';
import { person } from '../core/names.ts';

const takeOver = {
  type: 'take-over',
  by: person,
  to: 'twin',
  resumable: true,
  forkable: false,
  providerId: 'fresh',
  env: { A: 'a' },
} as const;

/** The look before it has been asked for. */
function asked(s = idleSession({ provider: 'one' })) {
  s.take(takeOver);
  return s;
}

function moved() {
  const s = asked();
  s.see(screens.composer());
  return s;
}

describe('a takeover', () => {
  it('looks once more, and then launches the other kind with the same conversation, in place of the old process', () => {
    const s = asked();
    expect(s.owed.map(({ effect }) => effect.do)).toEqual(['look']);
    const { process, context } = s.state.session;
    const { pid, startedAt } = process as { pid: number; startedAt: string };
    s.see(screens.composer());
    expect(s.owed.map(({ effect }) => effect)).toEqual([
      {
        do: 'launch',
        providerId: context.providerId,
        resume: true,
        env: { A: 'a' },
        replaces: { pid, startedAt },
      },
    ]);
    expect(s.state.session).toMatchObject({
      provider: 'twin',
      takeover: null,
      context: { number: 1, providerId: context.providerId },
      process: { state: 'launching', replaces: { provider: 'one', pid } },
    });
    expect(s.eventsOf('session moved')).toMatchObject([{ provider: 'twin', resumed: true }]);
  });

  it('without a conversation begins one under a new id', () => {
    const s = idleSession();
    s.take({ ...takeOver, resumable: false });
    s.see(screens.composer());
    expect(s.owed[0]?.effect).toMatchObject({ do: 'launch', providerId: 'fresh', resume: false });
  });

  it.each([
    ['a draft', screens.composer('half a thought'), 'a draft stands in its composer'],
    ['a turn that nobody told of', screens.composer('', 'working'), 'it works'],
    ['nothing that is recognised', screens.unknown(), 'the screen is not recognised'],
    ['nobody', null, 'the pane is gone'],
  ])('is not made when the look shows %s, and everything is as it was', (_, seen, why) => {
    const s = asked();
    s.see(seen);
    expect(s.state.session).toMatchObject({ provider: 'one', takeover: null, process: { state: 'running' } });
    expect(s.eventsOf('session not-moved')).toMatchObject([{ why }]);
  });

  it('is refused while it works, and while something is on its way', () => {
    expect(workingSession().refusal(takeOver)).toMatchObject({ data: { is: 'working' } });
    expect(typedSession('aaaaaaaa').refusal(takeOver)).toMatchObject({ data: { is: 'typing' } });
    expect(asked().refusal(takeOver)).toMatchObject({ data: { is: 'moving' } });
  });

  it('keeps what waits for the new process', () => {
    const s = asked();
    s.send('aaaaaaaa');
    expect(s.message('aaaaaaaa').state.is).toBe('queued');
    s.see(screens.composer());
    expect(s.owed.map(({ effect }) => effect.do)).toEqual(['launch']);
    s.answer({ of: 'launch', outcome: 'launched', pid: 99, startedAt: 'now', agentVersion: null });
    s.hear({ is: 'agent-started', source: 'resume' });
    s.see(screens.composer());
    expect(s.owed.map(({ effect }) => effect.do)).toEqual(['submit']);
  });

  it('goes on as before when the other cannot be started and the old process was not ended', () => {
    const s = moved();
    s.answer({ of: 'launch', outcome: 'failed', why: 'no such program', stays: true });
    expect(s.state.session).toMatchObject({ provider: 'one', process: { state: 'running', ready: true } });
    expect(s.phase).toBe('idle');
    expect(s.eventsOf('session not-moved')).toMatchObject([{ why: 'no such program' }]);
  });

  it('is exited, to be restored as it was, when the old process was ended and the other does not start', () => {
    const s = moved();
    s.answer({ of: 'launch', outcome: 'failed', why: 'no room' });
    expect(s.state.session).toMatchObject({
      provider: 'one',
      process: { state: 'exited', notStarted: 'no room' },
    });
  });

  it('is over when the agent dies or is killed meanwhile', () => {
    const died = asked();
    died.hear({ is: 'process-exited' }, { source: 'pane' });
    expect(died.state.session).toMatchObject({ takeover: null, process: { state: 'exited' } });
    const killed = asked();
    killed.take(killIt);
    killed.see(screens.composer());
    killed.answer({ of: 'kill' });
    expect(killed.state.session).toMatchObject({
      provider: 'one',
      takeover: null,
      process: { killed: true },
    });
  });
});
