// Self-directed context rotation, in virtual time; the tests are named after the items of that plan. What needs files,
// a command line or a real pane is in test/e2e/handoff.test.ts, under the same numbers.
import { describe, expect, it } from 'vitest';
import type { Input } from '../../src/domain/core/input.ts';
import { quietly } from '../../src/domain/core/message.ts';
import {
  aloneWith,
  idleSession,
  killIt,
  screens,
  sent,
  type TestSession,
  workingSession,
} from '../support/session.ts';

const doc = '/notes/handoff.md';
const prompt = `Read ${doc} and continue from where you left off.`;
const handoff = (path = doc, by = 's1'): Input => ({
  type: 'handoff',
  by: { kind: 'session', id: by },
  path,
  auto: false,
});
const posts = (s: TestSession) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [`${effect.to}: ${effect.text}`] : []));
const step = (s: TestSession) => s.state.session.handoff?.step ?? null;

const checked = (s: TestSession) => s.answer({ of: 'check-document', outcome: 'kept', copy: '/kept/1.md' });
const gone = (s: TestSession) => s.answer({ of: 'check-document', outcome: 'bad', why: 'it is gone' });

/** `/clear` is typed, and its proof comes. */
function cleared(s: TestSession, to = 'c2'): void {
  // One of the looks may be for the silence.
  while (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer());
  expect(s.owed.find(({ effect }) => effect.do === 'submit')?.effect).toMatchObject({ text: '/clear' });
  s.submitted('typed');
  s.hear({ is: 'context-ended', reason: 'clear' });
  s.hear({ is: 'agent-started', providerId: to, source: 'clear' });
}

function prompted(s: TestSession, turnId = 'p2', providerId = 'c2'): void {
  s.see(screens.composer());
  expect(s.owed.find(({ effect }) => effect.do === 'submit')?.effect).toMatchObject({ text: prompt });
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId, providerId, text: prompt });
}

/** At work for `boss`, to be reminded, and it has called for a handoff. */
function scheduled(): TestSession {
  const s = idleSession();
  const boss = { kind: 'session', id: 'boss', name: 'boss' } as const;
  s.take(
    sent({
      id: 'aaaaaaaa',
      from: boss,
      notify: { ...quietly, turnEnd: true },
      remind: { soft: 10, hard: 20 },
    }),
  );
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({
    is: 'prompt-submitted',
    turnId: 'p1',
    text: '[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa',
  });
  s.take(handoff());
  return s;
}

describe('1. Happy path', () => {
  it('goes through its steps, each on its proof, and the session is the same', () => {
    const s = scheduled();
    expect([step(s), s.phase]).toEqual(['scheduled', 'working']);
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'bye' });
    expect([step(s), s.phase]).toEqual(['checking', 'rotating']);
    checked(s);
    expect([step(s), s.phase]).toEqual(['clearing', 'rotating']);
    cleared(s);
    expect([step(s), s.phase]).toEqual(['cleared', 'rotating']);
    expect(s.state.session.lastHandoff).toBeNull();
    prompted(s);
    expect([step(s), s.phase]).toEqual([null, 'working']);
    expect(s.state.session.lastHandoff).toMatchObject({ path: doc, copy: '/kept/1.md', context: 2 });
    expect(s.owed.map(({ effect }) => effect.do)).toContain('publish-document');
  });

  it('the notice and the reminder of its turn move to the turn of its prompt', () => {
    const s = scheduled();
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'bye' });
    expect(posts(s)).toEqual([]);
    s.wait(60_000);
    expect(s.eventsOf('reminder sent')).toEqual([]);
    checked(s);
    cleared(s);
    prompted(s);
    expect(s.state.session.turn?.messages).toContain('aaaaaaaa');
    expect(s.state.session.reminder).toMatchObject({ since: s.now });
    s.hear({ is: 'turn-ended', turnId: 'p2', providerId: 'c2', lastWords: 'all done' });
    expect(posts(s)).toEqual(['boss: [sm] scripted-s1 stopped:\nall done']);
    expect(s.state.session.reminder).toBeNull();
  });

  it('a session that is idle when it asks is rotated at once', () => {
    const s = idleSession();
    s.take(handoff());
    expect(step(s)).toBe('checking');
  });

  it('waits for background tasks, 60 s at most', () => {
    const s = scheduled();
    s.hear({ is: 'turn-ended', turnId: 'p1', stillRuns: 1 });
    expect([step(s), s.phase]).toEqual(['due', 'rotating']);
    s.wait(59_999);
    expect(step(s)).toBe('due');
    s.wait(1);
    expect(step(s)).toBe('checking');
  });

  it('and no longer than they run', () => {
    const s = scheduled();
    s.hear({ is: 'turn-ended', turnId: 'p1', stillRuns: 1 });
    s.hear({ is: 'prompt-submitted', turnId: 'p9', text: '<task-notification>' });
    expect(s.phase).toBe('working');
    s.hear({ is: 'turn-ended', turnId: 'p9' });
    expect(step(s)).toBe('checking');
  });

  it('of several calls the last one wins', () => {
    const s = scheduled();
    s.take(handoff('/notes/better.md'));
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    expect(s.owed.find(({ effect }) => effect.do === 'check-document')?.effect).toMatchObject({
      path: '/notes/better.md',
    });
  });

  it('our own interrupt does not end it, a human does', () => {
    const s = scheduled();
    s.send('bbbbbbbb', 'now', 'urgent');
    s.see(screens.composer('', 'working'));
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect(step(s)).toBe('scheduled');
    const other = scheduled();
    other.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    expect([step(other), other.phase]).toEqual([null, 'idle']);
  });
});

describe('2. File validation', () => {
  it.each(['relative.md', '/a\nb.md', '/a\u001b[31m.md', `/${'x'.repeat(5_000)}`])(
    '%j is refused',
    (path) => {
      expect(workingSession().refusal(handoff(path)).code).toBe('invalid');
    },
  );
});

describe('3. Self-only auth', () => {
  it('is refused for everybody else, the person too', () => {
    const s = workingSession();
    const message = 'sm handoff is self-directed only — requester must equal target session';
    expect(s.refusal(handoff(doc, 'boss'))).toMatchObject({ code: 'forbidden', message });
    expect(s.refusal({ type: 'handoff', by: { kind: 'person' }, path: doc, auto: false })).toMatchObject({
      code: 'forbidden',
      message,
    });
  });
});

describe('4. Codex-app rejection', () => {
  it('is refused at schedule time where the provider cannot rotate', () => {
    const s = idleSession({ provider: 'codex-app' }, aloneWith({ handoff: false }));
    expect(s.refusal(handoff()).message).toBe('sm handoff is not supported for codex-app sessions');
  });
});

describe('6. Skip fence', () => {
  it('a Stop of the clear is the end of nothing, whenever it comes', () => {
    const s = scheduled();
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'bye' });
    checked(s);
    cleared(s);
    s.hear({ is: 'turn-ended', turnId: null, providerId: 'c1', lastWords: 'bye' });
    prompted(s);
    s.hear({ is: 'turn-ended', turnId: null, providerId: 'c1', lastWords: 'bye' });
    expect(s.phase).toBe('working');
    expect(posts(s)).toEqual([]);
  });
});

describe('7. Queued messages', () => {
  it('go at the first turn end of the new context, and nothing in between', () => {
    const s = scheduled();
    s.send('bbbbbbbb');
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.send('cccccccc', 'soon', 'important');
    checked(s);
    cleared(s);
    prompted(s);
    expect(s.state.session.attempt).toBeNull();
    s.hear({ is: 'turn-ended', turnId: 'p2', providerId: 'c2' });
    expect(s.state.session.attempt?.messages).toEqual(['cccccccc', 'bbbbbbbb']);
  });

  it('an urgent one goes once the new context has begun to answer', () => {
    const s = scheduled();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    s.send('bbbbbbbb', 'now', 'urgent');
    checked(s);
    cleared(s);
    prompted(s);
    expect(s.state.session.turn?.interrupt).toBeNull();
    s.hear({ is: 'activity', turnId: 'p2', providerId: 'c2', subject: 'Read' });
    expect(s.state.session.turn?.interrupt).toMatchObject({});
  });
});

describe('an urgent message, when a background task is waited for', () => {
  it('cuts the turn that the task has begun, and goes to the new context, at once', () => {
    const s = scheduled();
    s.hear({ is: 'turn-ended', turnId: 'p1', stillRuns: 2 });
    s.send('bbbbbbbb', 'now', 'urgent');
    s.hear({ is: 'prompt-submitted', turnId: 'p9', text: '<task-notification>' });
    s.see(screens.composer('', 'working'));
    s.answer({ of: 'escape', outcome: 'typed' });
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p9' }, { source: 'transcript' });
    expect([step(s), s.phase]).toEqual(['checking', 'rotating']);
    checked(s);
    cleared(s);
    prompted(s);
    expect(s.state.session.turn?.messages).toContain('aaaaaaaa');
    expect(s.message('bbbbbbbb').state.is).toBe('queued');
  });
});

describe('8. Delivery lock', () => {
  it('while the context rotates nothing is typed but the clear and the prompt', () => {
    const s = scheduled();
    s.hear({ is: 'turn-ended', turnId: 'p1' });
    for (const [id, mode] of [
      ['bbbbbbbb', 'urgent'],
      ['cccccccc', 'important'],
      ['dddddddd', 'sequential'],
    ] as const)
      s.send(id, id, mode);
    expect(s.owed.map(({ effect }) => effect.do)).toEqual(['check-document']);
    checked(s);
    cleared(s);
    prompted(s);
    for (const id of ['bbbbbbbb', 'cccccccc', 'dddddddd']) expect(s.message(id).state.is).toBe('queued');
  });
});

describe('9. Failure recovery', () => {
  it('the document is gone: idle, the queue flows, the agent and its parent hear why, and so does who waits', () => {
    const s = scheduled();
    s.send('bbbbbbbb');
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'bye' });
    gone(s);
    expect([step(s), s.phase]).toEqual([null, 'idle']);
    const told = s.eventsOf('message queued').at(-1)?.message as string;
    expect(s.message(told).text).toContain(`The handoff to ${doc} failed: it is gone.`);
    expect(s.state.session.attempt?.messages).toEqual([told, 'bbbbbbbb']);
    expect(posts(s)).toEqual([
      `boss: [sm handoff] The handoff of scripted-s1 (s1) to ${doc} failed: it is gone. It keeps its context.`,
      'boss: [sm] scripted-s1 stopped:\nbye',
    ]);
  });

  it('the clear is never proven: the same', () => {
    const s = scheduled();
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'bye' });
    checked(s);
    for (let passed = 0; passed < 40 && step(s); passed += 1) {
      if (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.unknown());
      s.wait(1_000);
    }
    expect([step(s), s.phase]).toEqual([null, 'idle']);
    expect(posts(s)).toEqual([
      expect.stringContaining('boss: [sm] The screen of scripted-s1 (s1) is not recognised'),
      expect.stringContaining(`boss: [sm handoff] The handoff of scripted-s1 (s1) to ${doc} failed:`),
      'boss: [sm] scripted-s1 stopped:\nbye',
    ]);
    expect(s.state.session.lastHandoff).toBeNull();
  });

  it('the session is killed, or its agent dies: nothing is left of it', () => {
    const killed = scheduled();
    killed.hear({ is: 'turn-ended', turnId: 'p1' });
    killed.take(killIt);
    expect(step(killed)).toBeNull();
    const died = scheduled();
    died.hear({ is: 'turn-ended', turnId: 'p1' });
    checked(died);
    cleared(died);
    died.hear({ is: 'process-exited' });
    expect(step(died)).toBeNull();
    // It was cleared, so its prompt waits for the session to be restored.
    expect([...died.state.queue.sequential.values()].map(({ text }) => text)).toEqual([prompt]);
  });
});

describe('a loop', () => {
  it('of handoffs with no work between them is stopped, and its parent told', () => {
    const s = workingSession();
    const rotate = (n: number) => {
      s.hear({ is: 'turn-ended', turnId: `p${n}`, providerId: `c${n}` });
      checked(s);
      s.see(screens.composer());
      s.submitted('typed');
      s.hear({ is: 'context-ended', reason: 'clear', providerId: `c${n}` });
      s.hear({ is: 'agent-started', providerId: `c${n + 1}`, source: 'clear' });
      prompted(s, `p${n + 1}`, `c${n + 1}`);
      s.answer({ of: 'publish-document' });
    };
    s.take(handoff());
    rotate(1);
    s.take(handoff());
    rotate(2);
    s.take(handoff());
    expect(step(s)).toBeNull();
    expect(posts(s)).toEqual([
      expect.stringContaining('asked for a handoff 3 times in a row without doing any work'),
    ]);
    // Work makes the next one a handoff like any other.
    for (let n = 0; n < 6; n += 1)
      s.hear({ is: 'activity', turnId: 'p3', providerId: 'c3', subject: `Edit ${n}` });
    s.take(handoff());
    expect(step(s)).toBe('scheduled');
  });
});
