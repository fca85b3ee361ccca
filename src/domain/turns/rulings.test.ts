import { describe, expect, it } from 'vitest';
import { alone, idleSession, screens, type TestSession } from '../../../test/support/session.ts';
import { noOptions } from '../core/options.ts';
import { parsePattern, type Rule } from '../policy/rule.ts';

const rule = (decision: 'allow' | 'deny', text: string, more: Partial<Rule> = {}): Rule => {
  const pattern = parsePattern(text);
  if ('fault' in pattern) throw new Error(pattern.fault);
  return { id: 'r1', decision, pattern, session: null, profile: null, reason: null, ...more };
};

/** A session that asks for a command, by the hook's fact `q1`. */
function asking(command: string, ...rules: Rule[]): TestSession {
  const s = idleSession({}, { ...alone, settings: { ...alone.settings, rules: () => rules } });
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
  ask(s, command, 'q1');
  return s;
}
const ask = (s: TestSession, command: string, id: string) =>
  s.hear(
    {
      is: 'permission-asked',
      turnId: 'p1',
      subject: command,
      text: `Bash: ${command}`,
      call: {
        tool: 'Bash',
        does: { is: 'command', command },
        from: { path: '/work', real: '/work' },
        home: '/home/me',
      },
    },
    { id },
  );
const told = (s: TestSession) => s.eventsOf('notice-posted').map(({ about }) => about);

describe('a question that a rule answers', () => {
  it('is answered at once, with the rule in the history, and nobody is asked', () => {
    const s = asking('npm test', rule('allow', 'Bash(npm test)'));
    expect(s.owed.at(-1)?.effect).toEqual({ do: 'answer', fact: 'q1', decision: 'allow', text: null });
    expect(s.phase).toBe('working');
    expect(s.eventsOf('question ruled')).toMatchObject([
      { decision: 'allow', rule: 'r1', says: 'allow Bash(npm test)', question: 'Bash: npm test' },
    ]);
    s.answer({ of: 'answer', outcome: 'taken' });
    expect(s.eventsOf('question asked')).toEqual([]);
    expect(told(s)).toEqual([]);
    expect(s.state.session.rulings).toEqual([]);
  });

  it('is denied with the reason of the rule', () => {
    const s = asking('git push', rule('deny', 'Bash(git push*)', { reason: 'Ask me first.' }));
    expect(s.owed.at(-1)?.effect).toEqual({
      do: 'answer',
      fact: 'q1',
      decision: 'deny',
      text: '[sm] Denied by rule r1 of the user: Bash: git push. Ask me first.',
    });
  });

  it.each([
    ['worker', 'working'],
    ['boss', 'blocked'],
  ])('of a profile is for the sessions that were started with it: %s is %s', (profile, phase) => {
    const rules = () => [rule('allow', 'Bash(npm test)', { profile: 'worker' })];
    const others = { ...alone, settings: { ...alone.settings, rules } };
    const s = idleSession({ options: { ...noOptions, profile } }, others);
    s.hear({ is: 'prompt-submitted', turnId: 'p1', text: 'do it' });
    ask(s, 'npm test', 'q1');
    expect(s.phase).toBe(phase);
  });

  it('is asked as ever when no rule covers it', () => {
    const s = asking('npm test; rm x', rule('allow', 'Bash(npm test*)'));
    expect(s.phase).toBe('blocked');
    expect(told(s)).toEqual(['question']);
  });

  it.each(['nobody', 'unknown', 'later'] as const)(
    'is asked after all when the answer is lost: %s',
    (outcome) => {
      const s = asking('npm test', rule('allow', 'Bash(npm test)'));
      s.answer({ of: 'answer', outcome });
      expect(s.phase).toBe('blocked');
      expect(s.eventsOf('question answer-lost')).toHaveLength(1);
      expect(told(s)).toEqual(['question']);
      expect(s.state.session.question?.hook?.fact ?? null).toBe(outcome === 'later' ? 'q1' : null);
    },
  );

  it('that is lost when its turn is over is asked of nobody', () => {
    const s = asking('npm test', rule('allow', 'Bash(npm test)'));
    s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: null, stillRuns: 0 });
    s.answer({ of: 'answer', outcome: 'nobody' });
    expect(s.phase).toBe('idle');
    expect(told(s)).not.toContain('question');
  });

  it('leaves alone another one that a human is asked', () => {
    const s = asking('rm x', rule('allow', 'Bash(npm test)'));
    ask(s, 'npm test', 'q2');
    expect(s.state.session.question).toMatchObject({ subject: 'rm x', hook: { fact: 'q1', answer: null } });
    s.answer({ of: 'answer', outcome: 'taken' });
    expect(s.phase).toBe('blocked');
  });

  it('is not told of when its dialog is seen on the way', () => {
    const s = asking('npm test', rule('allow', 'Bash(npm test)'));
    s.wait(60_000);
    if (s.state.session.look) s.see(screens.dialog('Do you want to proceed?'));
    expect(told(s)).toEqual([]);
  });
});
