import { describe, expect, it } from 'vitest';
import {
  alone,
  idleSession,
  killIt,
  screens,
  type TestSession,
  workingSession,
} from '../../../test/support/session.ts';
import type { Input } from '../core/input.ts';
import { type Actor, person } from '../core/names.ts';
import { type Question, questionId } from '../core/parts.ts';

const parent: Actor = { kind: 'session', id: 'boss' };
const answer = (
  decision: 'allow' | 'deny',
  more: Partial<Extract<Input, { type: 'answer' }>> = {},
): Input => ({
  type: 'answer',
  by: person,
  decision,
  text: null,
  ...more,
});

/** A session that asks for `rm`, by the hook's fact `q1`. */
function askingSession(parentsMayAnswer = false): TestSession {
  const s = idleSession({}, { ...alone, settings: { ...alone.settings, parentsMayAnswer } });
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
  s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'rm', text: 'Bash: rm' }, { id: 'q1' });
  return s;
}

/** The dialog is seen to be gone before the agent says what it did. */
function closedFirst(s: TestSession): void {
  s.wait(300);
  s.see(screens.composer('', 'working'));
  s.hear({ is: 'activity', turnId: 'p1', subject: 'rm', ran: true });
}

const toldOf = (s: TestSession, about: string) =>
  s.eventsOf('notice-posted').filter((each) => each.about === about);

describe('an answer from afar', () => {
  it('is owed to the hook that asked, with its text, and recorded with who gave it', () => {
    const s = askingSession();
    s.take(answer('deny', { text: 'not that one' }));
    expect(s.owed.at(-1)?.effect).toEqual({
      do: 'answer',
      fact: 'q1',
      decision: 'deny',
      text: 'not that one',
    });
    s.answer({ of: 'answer', outcome: 'taken' });
    expect(s.eventsOf('question answered')).toMatchObject([
      { by: person, decision: 'deny', text: 'not that one', question: 'Bash: rm' },
    ]);
    expect(s.eventsOf('question answer-taken')).toHaveLength(1);
  });

  it('names the rule that was written with it, which nobody but the person does', () => {
    const s = askingSession(true);
    expect(s.refusal(answer('allow', { rule: 'r1', by: parent })).message).toContain('Only a person');
    s.take(answer('allow', { rule: 'r1' }));
    expect(s.eventsOf('question answered')).toMatchObject([{ by: person, rule: 'r1' }]);
  });

  it('does not make the session work: only evidence does', () => {
    const s = askingSession();
    s.take(answer('allow'));
    s.answer({ of: 'answer', outcome: 'taken' });
    expect(s.phase).toBe('blocked');
    s.hear({ is: 'activity', turnId: 'p1', subject: 'rm' });
    expect(s.phase).toBe('working');
  });

  it('makes us look soon, because not every answer makes the agent speak', () => {
    const s = askingSession();
    s.take(answer('deny'));
    s.answer({ of: 'answer', outcome: 'taken' });
    s.wait(300);
    s.see(screens.composer('', 'working'));
    expect(s.phase).toBe('working');
  });

  it('is given once: a second one hears what the first one was', () => {
    const s = askingSession();
    s.take(answer('allow'));
    expect(s.refusal(answer('deny'))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('The question is already answered: allow, by the user.'),
    });
    s.answer({ of: 'answer', outcome: 'taken' });
    expect(s.refusal(answer('deny')).code).toBe('conflict');
    s.hear({ is: 'activity', turnId: 'p1', subject: 'rm' });
    expect(s.refusal(answer('deny')).message).toMatch(
      /has no open question\. Its last question was answered: allow, by the user\./,
    );
  });

  it('after a human has answered in the pane hears so', () => {
    const s = askingSession();
    s.hear({ is: 'activity', turnId: 'p1', subject: 'rm' });
    expect(s.refusal(answer('deny'))).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('was answered in its terminal (it went on)'),
    });
    expect(s.eventsOf('question answered')).toEqual([]);
  });

  it('that a human overtook is recorded, and what became of it', () => {
    const s = askingSession();
    s.take(answer('allow'));
    s.hear({ is: 'turn-ended', end: 'interrupted', turnId: 'p1' }, { source: 'transcript' });
    s.answer({ of: 'answer', outcome: 'nobody' });
    expect(s.phase).toBe('idle');
    expect(s.eventsOf('question answered')).toHaveLength(1);
    expect(s.eventsOf('question answer-lost')).toMatchObject([{ why: 'no hook waits for it now' }]);
  });

  it('that was lost after the question was over is not told as the one that counted', () => {
    const s = askingSession();
    s.take(answer('deny'));
    s.hear({ is: 'activity', turnId: 'p1', subject: 'rm', ran: true });
    s.answer({ of: 'answer', outcome: 'nobody' });
    expect(s.refusal(answer('allow')).message).toContain(
      'was answered in its terminal (it was allowed there first)',
    );
  });

  it('that was on its way when the question was over may be the one that counted, or not', () => {
    const s = askingSession();
    s.take(answer('allow', { by: { kind: 'person', via: 'Firefox' } }));
    s.hear({ is: 'activity', turnId: 'p1', subject: 'rm', ran: true });
    expect(s.refusal(answer('allow')).message).toContain(
      'was answered in its terminal, or allow, by the user (Firefox): that is not known yet.',
    );
    s.answer({ of: 'answer', outcome: 'taken' });
    expect(s.refusal(answer('allow')).message).toContain('was answered: allow, by the user (Firefox).');
  });

  it.each([
    ['before', (s: TestSession) => s.hear({ is: 'activity', turnId: 'p1', subject: 'rm', ran: true })],
    ['after', closedFirst],
  ])(
    'no that a hook took, of what ran all the same, was overtaken at the pane: heard %s it was over',
    (_, hears) => {
      const s = askingSession();
      s.take(answer('deny'));
      s.answer({ of: 'answer', outcome: 'taken' });
      hears(s);
      expect(s.refusal(answer('allow')).message).toContain(
        'was answered in its terminal (it was allowed there first)',
      );
    },
  );

  it('that the agent cannot take now can be given again', () => {
    const s = askingSession();
    s.take(answer('allow'));
    s.answer({ of: 'answer', outcome: 'later' });
    expect(s.phase).toBe('blocked');
    s.take(answer('allow'));
    s.answer({ of: 'answer', outcome: 'taken' });
    expect(s.eventsOf('question answer-taken')).toHaveLength(1);
  });

  it.each(['nobody', 'unknown'] as const)(
    'that may not have arrived (%s) leaves the question to the pane',
    (outcome) => {
      const s = askingSession();
      s.take(answer('allow'));
      s.answer({ of: 'answer', outcome });
      expect(s.phase).toBe('blocked');
      expect(s.eventsOf('question answer-lost')).toHaveLength(1);
      expect(s.refusal(answer('allow')).data?.is).toBe('no-waiting-hook');
    },
  );

  it('to a dialog that no hook waits with is refused, and says where to answer', () => {
    const s = workingSession();
    s.wait(10_000);
    s.see(screens.dialog('Do you trust this folder?'));
    expect(s.refusal(answer('allow'))).toMatchObject({
      code: 'conflict',
      message: 'No hook of scripted-s1 (s1) waits for an answer.',
      data: { is: 'no-waiting-hook' },
    });
  });

  it('to a session that asks nothing is refused', () => {
    expect(idleSession().refusal(answer('allow'))).toMatchObject({
      code: 'conflict',
      message: 'scripted-s1 (s1) has no open question.',
    });
  });

  it('to a session that was killed meanwhile harms nothing', () => {
    const s = askingSession();
    s.take(answer('allow'));
    s.take(killIt);
    s.answer({ of: 'answer', outcome: 'nobody' });
    s.answer({ of: 'kill' });
    expect(s.phase).toBe('exited');
  });
});

describe('who may answer', () => {
  it('is a person, and a parent only where that is allowed', () => {
    expect(askingSession().refusal(answer('allow', { by: parent }))).toMatchObject({
      code: 'forbidden',
      message: 'Only a person may answer what scripted-s1 (s1) asks.',
    });
    const s = askingSession(true);
    s.take(answer('allow', { by: parent }));
    expect(s.eventsOf('question answered')).toMatchObject([{ by: parent }]);
  });

  it('is never a stranger, nor the session itself', () => {
    const s = askingSession(true);
    for (const id of ['stranger', 's1']) {
      const by: Actor = { kind: 'session', id };
      expect(s.refusal(answer('allow', { by })).code).toBe('forbidden');
    }
  });
});

describe('a question', () => {
  it('is told once, though its hook comes twice, and the last hook is the one that is answered', () => {
    const s = askingSession();
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'rm', text: 'Bash: rm' }, { id: 'q2' });
    expect(toldOf(s, 'question')).toHaveLength(1);
    s.take(answer('allow'));
    expect(s.owed.at(-1)?.effect).toMatchObject({ do: 'answer', fact: 'q2' });
  });

  it('is told once, though its dialog was seen before its hook was heard', () => {
    const s = workingSession();
    s.wait(10_000);
    s.see(screens.dialog('Do you want to proceed?'));
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'rm', text: 'Bash: rm' }, { id: 'q1' });
    expect(toldOf(s, 'question')).toHaveLength(1);
    s.take(answer('allow'));
    expect(s.owed.at(-1)?.effect).toMatchObject({ do: 'answer', fact: 'q1' });
  });

  it('stands though the transcript tells late of the prompt that its turn began with', () => {
    const s = askingSession();
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' }, { source: 'transcript' });
    expect(s.phase).toBe('blocked');
    s.hear({ is: 'prompt-submitted', turnId: 'p2', text: 'forget it' }, { source: 'transcript' });
    expect(s.phase).toBe('working');
  });

  it('that is asked again after its answer is told again', () => {
    const s = askingSession();
    s.take(answer('allow'));
    s.answer({ of: 'answer', outcome: 'taken' });
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'rm', text: 'Bash: rm' }, { id: 'q2' });
    expect(toldOf(s, 'question')).toHaveLength(2);
    s.take(answer('allow'));
  });

  it('of a session without a parent is told to no session', () => {
    const s = idleSession({ parentId: null });
    s.hear({ is: 'prompt-submitted', turnId: 'p1' });
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'rm', text: 'Bash: rm' });
    expect(s.eventsOf('notice-posted')).toEqual([]);
    expect(s.state.session.question?.text).toBe('Bash: rm');
  });
});

describe('who answers a question that was seen', () => {
  it('answers that one', () => {
    const s = askingSession();
    const { question } = s.state.session;
    s.take(answer('allow', { question: questionId(question as Question) }));
    expect(s.eventsOf('question answered')).toHaveLength(1);
  });

  it('answers no other: what stands there by now is named', () => {
    const s = askingSession();
    const seen = questionId(s.state.session.question as Question);
    s.hear({ is: 'activity', turnId: 'p1', subject: 'rm' });
    s.wait(1_000);
    s.hear({ is: 'permission-asked', turnId: 'p1', subject: 'push', text: 'Bash: git push' }, { id: 'q2' });
    expect(s.refusal(answer('allow', { question: seen }))).toMatchObject({
      code: 'conflict',
      message: 'scripted-s1 (s1) asks something else by now: Bash: git push',
    });
    expect(s.eventsOf('question answered')).toEqual([]);
  });
});
