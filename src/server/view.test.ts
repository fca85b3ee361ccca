import { expect, test } from 'vitest';
import { attemptingSession, screens } from '../../test/support/session.ts';
import { sessionViews } from './view.ts';

test('a message waits until it is proven that the agent has it, also while it is typed', () => {
  const s = attemptingSession('aaaaaaaa');
  const seen = () => {
    const { phase, waiting } = sessionViews(() => undefined)(s.state);
    return [phase, waiting.count];
  };
  expect(seen()).toEqual(['idle', 1]);
  s.see(screens.composer());
  expect(seen()).toEqual(['idle', 1]);
  s.submitted('typed');
  expect(seen()).toEqual(['idle', 1]);
  s.hear({ is: 'prompt-submitted', turnId: 'p2', text: '[sm] from the user #aaaaaaaa:\ntext of aaaaaaaa' });
  expect(seen()).toEqual(['working', 0]);
});

test('says since when it is in its phase', () => {
  const s = attemptingSession('aaaaaaaa');
  const since = () => Date.parse(sessionViews(() => undefined)(s.state).phase_since);
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId: 'p2', text: '[sm] from the user #aaaaaaaa:\ntext of aaaaaaaa' });
  const began = since();
  s.wait(5_000);
  expect(since()).toBe(began);
  s.hear({ is: 'permission-asked', turnId: 'p2', subject: 'rm', text: 'Bash: rm' }, { id: 'q1' });
  expect(since()).toBe(began + 5_000);
  const [first] = [sessionViews(() => undefined)(s.state).question?.id];
  expect(first).toBeTruthy();
});
