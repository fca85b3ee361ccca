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
