import { describe, expect, it } from 'vitest';
import { important } from '../../../test/support/mid-turn.ts';
import {
  alone,
  creation,
  idleSession,
  killIt,
  launched,
  restoreIt,
  testSession,
  workingSession,
} from '../../../test/support/session.ts';
import { person } from '../core/names.ts';
import type { Session } from '../core/session.ts';
import { decide } from '../decide.ts';

const taken = (...names: string[]) => ({ ...alone, isNameTaken: (name: string) => names.includes(name) });

describe('a place in a team', () => {
  const member = { team: 'shop', name: 'login' };
  const held = idleSession({ id: 's9', member, friendlyName: 'holder' }).state.session;
  const others = { ...alone, memberOf: () => held };

  it('is for one session: another one is not created, nor restored beside it', () => {
    const conflict = {
      code: 'conflict',
      message: 'The team shop already has a member login: holder (s9).',
      data: { is: 'place-taken', team: 'shop', member: 'login', by: { id: 's9', name: 'holder' } },
    };
    expect(decide(null, { ...creation, member }, 1, others)).toEqual({ ok: false, refusal: conflict });
    const s = idleSession({ member });
    s.take(killIt);
    s.answer({ of: 'kill' });
    expect(s.refusal(restoreIt, others)).toEqual(conflict);
  });

  it('is kept through a restore, and does not stand in the way of it', () => {
    let own: Session | null = null;
    const s = idleSession({ member }, { ...alone, memberOf: () => own });
    own = s.state.session;
    s.hear({ is: 'process-exited' }, { source: 'pane' });
    s.take(restoreIt);
    expect(s.state.session).toMatchObject({ member, process: { state: 'launching' } });
  });
});

describe('killing', () => {
  it('is for the parent and for a person, and for nobody else', () => {
    const s = idleSession();
    const stranger = { type: 'kill', by: { kind: 'session', id: 'other' } } as const;
    expect(s.refusal(stranger)).toMatchObject({ code: 'forbidden' });
    s.take({ type: 'kill', by: { kind: 'session', id: 'boss' } });
    expect(s.owed.map(({ effect }) => effect.do)).toEqual(['kill']);
  });

  it('twice is killing once', () => {
    const s = idleSession();
    s.take(killIt);
    s.take(killIt);
    expect(s.owed).toHaveLength(1);
    expect(s.eventsOf('session killed')).toHaveLength(1);
  });

  it('waits for a launch that is under way, and then knows whom it kills', () => {
    const s = testSession();
    s.take(killIt);
    s.answer(launched);
    expect(s.state.session.process).toMatchObject({ state: 'ending', pid: 77 });
    s.answer({ of: 'kill' });
    expect(s.state.session.process).toMatchObject({ state: 'exited', killed: true });
  });

  it('fails what the agent had enqueued, which it may have taken up', () => {
    const s = workingSession();
    important(s, 'aaaaaaaa');
    expect(s.state.session.enqueued).toEqual(['aaaaaaaa']);
    s.take(killIt);
    s.answer({ of: 'kill' });
    const why = 'the session was killed before it was known whether it had the message';
    expect(s.message('aaaaaaaa').state).toMatchObject({ is: 'failed', why });
  });

  it('also retires a session that has exited by itself', () => {
    const s = idleSession();
    s.hear({ is: 'process-exited' }, { source: 'pane' });
    s.take(killIt);
    s.answer({ of: 'kill' });
    expect(s.state.session.process).toMatchObject({ killed: true });
  });

  it('that failed leaves the session lost, with the process that may live on', () => {
    const s = workingSession();
    s.take(killIt);
    s.answer({ of: 'kill', failed: 'tmux does not answer' });
    expect(s.state.session.process).toMatchObject({
      state: 'lost',
      pid: 77,
      reason: expect.stringContaining('tmux does not answer'),
    });
  });
});

describe('the last screen', () => {
  const dead = (fact: object) => {
    const s = idleSession();
    s.hear({ is: 'process-exited', screen: '$ claude\nKilled', ...fact }, { source: 'pane' });
    return s;
  };

  it('of an agent that died is kept apart from how it died', () => {
    const s = dead({ code: 137, signal: 9 });
    const end = { reason: 'killed by signal 9', screen: '$ claude\nKilled' };
    expect(s.state.session.process).toMatchObject(end);
    expect(s.eventsOf('session exited')).toMatchObject([end]);
    expect(dead({ code: 0 }).state.session.process).toMatchObject({ ...end, reason: 'exit code 0' });
    expect(dead({ code: null, screen: '' }).state.session.process).toMatchObject({
      reason: 'exit code unknown',
      screen: null,
    });
  });

  it('is told to nobody', () => {
    const s = workingSession();
    s.hear({ is: 'process-exited', code: 137, signal: 9, screen: 'Killed' }, { source: 'pane' });
    const [post] = s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [effect.text] : []));
    expect(post).toBe('[sm] scripted-s1 (s1) exited (killed by signal 9).');
  });

  it('of one that is killed is kept, too, and that of one that had died before', () => {
    const s = idleSession();
    s.take(killIt);
    s.answer({ of: 'kill', screen: 'half a word' });
    expect(s.state.session.process).toMatchObject({ reason: 'killed', screen: 'half a word' });
    const gone = dead({ code: 1 });
    gone.take(killIt);
    gone.answer({ of: 'kill', screen: '' });
    expect(gone.state.session.process).toMatchObject({ killed: true, screen: '$ claude\nKilled' });
  });
});

describe('a session that ran when something bigger ended', () => {
  const lost = (bigger: 'machine' | 'tmux') => {
    const s = idleSession();
    s.hear({ is: 'process-gone', with: bigger }, { source: 'pane' });
    return s;
  };

  it('is stranded until its agent is ready again, whatever goes wrong meanwhile', () => {
    const s = lost('machine');
    expect(s.state.session.stranded).toEqual({ with: 'machine', at: s.now });
    s.take(restoreIt);
    s.answer({ of: 'launch', outcome: 'failed', why: 'no program' });
    expect(s.state.session).toMatchObject({ process: { state: 'exited' }, stranded: { with: 'machine' } });
    s.take(restoreIt);
    s.answer(launched);
    expect(s.state.session.stranded).toMatchObject({ with: 'machine' });
    s.hear({ is: 'agent-started', source: 'resume' });
    expect(s.state.session.stranded).toBeNull();
  });

  it('is stranded also when it was ended a moment before the machine was', () => {
    const s = idleSession();
    s.hear({ is: 'process-exited', signal: 15, with: 'machine' }, { source: 'pane' });
    expect(s.state.session).toMatchObject({ process: { state: 'exited' }, stranded: { with: 'machine' } });
  });

  it('is not stranded once it is killed', () => {
    const s = lost('tmux');
    s.take(killIt);
    s.answer({ of: 'kill' });
    expect(s.state.session.stranded).toBeNull();
  });

  it('is not one that ended alone', () => {
    for (const is of ['process-gone', 'process-exited'] as const) {
      const s = idleSession();
      s.hear({ is }, { source: 'pane' });
      expect(s.state.session.stranded ?? null).toBeNull();
    }
  });
});

describe('restoring', () => {
  it('resumes the conversation when it was used', () => {
    const s = workingSession();
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    s.take(restoreIt);
    expect(s.phase).toBe('starting');
    expect(s.owed.at(-1)).toMatchObject({ effect: { do: 'launch', resume: true, providerId: 'c1' } });
    s.answer(launched);
    s.hear({ is: 'agent-started', source: 'resume' });
    expect(s.phase).toBe('idle');
  });

  it('begins afresh, under a new id, when nothing was ever said in it', () => {
    const s = idleSession();
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    s.take({ ...restoreIt, resumable: false } as never);
    expect(s.owed.at(-1)).toMatchObject({ effect: { do: 'launch', resume: false, providerId: 'c2' } });
    expect(s.state.session.context).toMatchObject({ number: 1, providerId: 'c2' });
  });

  it('begins the next context when the agent has lost the conversation', () => {
    const s = idleSession();
    s.hear({ is: 'prompt-submitted', turnId: 't1', text: 'hello' });
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    s.take({ ...restoreIt, resumable: false } as never);
    expect(s.owed.at(-1)).toMatchObject({ effect: { do: 'launch', resume: false, providerId: 'c2' } });
    expect(s.state.session.context).toMatchObject({ number: 2, providerId: 'c2', used: false });
  });

  it('is refused while the old process lives, and names it', () => {
    const s = idleSession();
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    expect(s.refusal({ ...restoreIt, oldProcess: 'alive' } as never)).toMatchObject({
      code: 'conflict',
      message: 'Its old process 77 still runs; two processes must not share a conversation.',
      data: { is: 'old-process', pid: 77 },
    });
  });

  it('is refused while the session is alive', () => {
    expect(idleSession().refusal(restoreIt)).toMatchObject({ code: 'conflict' });
    expect(testSession().refusal(restoreIt)).toMatchObject({ code: 'conflict' });
  });

  it('delivers what has waited', () => {
    const s = workingSession();
    s.send('aaaaaaaa');
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    s.take(restoreIt);
    s.answer(launched);
    s.hear({ is: 'agent-started', source: 'resume' });
    expect(s.state.session.attempt?.messages).toEqual(['aaaaaaaa']);
  });

  it('gives the name up that another session has taken meanwhile', () => {
    const others: string[] = [];
    const s = idleSession(
      { friendlyName: 'reviewer' },
      { ...alone, isNameTaken: (name) => others.includes(name) },
    );
    s.take(killIt);
    s.answer({ of: 'kill' });
    others.push('reviewer');
    s.take(restoreIt);
    expect(s.state.session.friendlyName).toBeNull();
    expect(s.eventsOf('session renamed')).toMatchObject([{ name: 'scripted-s1' }]);
  });
});

describe('a name', () => {
  it.each(['reviewer', 'Prüfer 2', 'a', '4th:try+b@c.d_e-f', 'x'.repeat(64)])('may be %s', (name) => {
    const s = idleSession();
    s.take({ type: 'rename', by: person, name });
    expect(s.state.session.friendlyName).toBe(name);
  });

  it.each([
    '',
    ' a',
    '-a',
    'a\nb',
    'a#b',
    '\x1b[31mred',
    'x'.repeat(65),
    'a/b',
    '\u202eevil',
    'the user',
    'User',
    'sm',
  ])('may not be %j', (name) => {
    expect(idleSession().refusal({ type: 'rename', by: person, name }).code).toBe('invalid');
  });

  it('that is taken is refused, for a new session too', () => {
    const s = idleSession();
    expect(s.refusal({ type: 'rename', by: person, name: 'lead' }, taken('lead')).code).toBe('conflict');
    expect(() => testSession({ ...creation, friendlyName: 'lead' }, taken('lead'))).toThrow(
      'already has the name',
    );
  });
});

describe('what does not fit', () => {
  it('is refused for a session that is not there, and for one that is there twice', () => {
    const s = idleSession();
    expect(s.refusal(creation)).toMatchObject({ code: 'conflict' });
  });

  it('is ignored when it is the result of nothing that is awaited', () => {
    const s = idleSession();
    const before = s.state.session;
    for (const result of [launched, { of: 'kill' }, { of: 'bury' }, { of: 'look', look: null }] as const) {
      s.take({ type: 'result', effectId: 'unheard-of', result });
    }
    s.take({ type: 'result', effectId: 'unheard-of', result: { of: 'submit', outcome: 'typed' } });
    expect(s.state.session).toEqual(before);
  });
});

describe('a session that begins with a copy of a conversation', () => {
  const forkedFrom = { id: 's0', name: 'login', context: 3, providerId: 'c0' };
  const lost = (s: ReturnType<typeof idleSession>) => {
    s.hear({ is: 'process-gone' }, { source: 'pane' });
    return s;
  };

  it('is launched with it, and its contexts are counted from 1', () => {
    const s = testSession({ forkedFrom });
    expect(s.owed[0]?.effect).toMatchObject({ do: 'launch', fork: 'c0', providerId: 'c1', resume: false });
    expect(s.state.session.context).toMatchObject({ number: 1, beganBy: 'fork', used: false });
    expect(s.eventsOf('session created')).toMatchObject([
      { forkedFrom: { id: 's0', name: 'login', context: 3 } },
    ]);
  });

  it('is copied once more when it died before anything was said in it, and then resumed like any other', () => {
    const s = lost(idleSession({ forkedFrom }));
    s.take({ ...restoreIt, resumable: false, forkable: true } as never);
    expect(s.owed.at(-1)?.effect).toMatchObject({ do: 'launch', fork: 'c0', providerId: 'c2' });
    expect(s.state.session.context).toMatchObject({ number: 1, beganBy: 'fork' });
    s.answer(launched);
    s.hear({ is: 'agent-started', providerId: 'c2', source: 'startup' });
    s.hear({ is: 'prompt-submitted', providerId: 'c2', turnId: 't1', text: 'hello' });
    lost(s).take({ ...restoreIt, resumable: true, forkable: true } as never);
    expect(s.owed.at(-1)?.effect).toMatchObject({ do: 'launch', resume: true, providerId: 'c2' });
    expect(s.owed.at(-1)?.effect).not.toHaveProperty('fork');
  });

  it('is not copied again when the original is gone, nor when its own context is lost', () => {
    const s = lost(idleSession({ forkedFrom }));
    s.take({ ...restoreIt, resumable: false, forkable: false } as never);
    expect(s.owed.at(-1)?.effect).not.toHaveProperty('fork');
    const t = idleSession({ forkedFrom });
    t.hear({ is: 'prompt-submitted', turnId: 't1', text: 'hello' });
    lost(t).take({ ...restoreIt, resumable: false, forkable: true } as never);
    expect(t.owed.at(-1)?.effect).not.toHaveProperty('fork');
    expect(t.state.session.context).toMatchObject({ number: 2, beganBy: 'launch' });
  });
});

describe('a session that adopts a conversation', () => {
  const adopts = { path: '/t.jsonl', offset: 99, turnId: null };

  it('resumes it, and reads its transcript from where it was then', () => {
    const s = testSession({ adopts });
    expect(s.owed[0]?.effect).toMatchObject({ do: 'launch', resume: true, providerId: 'c1' });
    expect(s.state.session.context).toMatchObject({
      number: 1,
      used: true,
      transcript: adopts,
      beganBy: 'adopt',
    });
    s.answer(launched);
    s.hear({ is: 'agent-started', source: 'resume', transcriptPath: '/t.jsonl' });
    expect(s.state.session.context.transcript).toEqual(adopts);
    expect(s.phase).toBe('idle');
  });

  it('is refused what another session has', () => {
    const owner = idleSession({ id: 's9', friendlyName: 'login' }).state.session;
    const others = { ...alone, ownerOf: () => owner };
    expect(decide(null, { ...creation, adopts }, 1, others)).toEqual({
      ok: false,
      refusal: {
        code: 'conflict',
        message: 'This conversation belongs to login (s9).',
        data: { is: 'conversation-taken', session: { id: 's9', name: 'login' }, killed: false },
      },
    });
    expect(decide(null, creation, 1, others).ok).toBe(true);
  });
});
