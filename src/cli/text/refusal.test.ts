import { expect, test } from 'vitest';
import { refusalText } from './refusal.ts';

const session = { id: '35c21191', name: 'login' };

test.each([
  [{ is: 'no-session', ref: 'x\u001b' }, 'No session "x␛". See: sm all'],
  [{ is: 'no-message', ref: 'ab' }, 'No message "ab". See: sm queue SESSION'],
  [{ is: 'not-running', session, phase: 'lost' }, 'It says. Restore it with: sm restore 35c21191'],
  [{ is: 'not-running', session, phase: 'starting' }, 'It says.'],
  [{ is: 'running', session }, 'It says. Open it with: sm attach 35c21191'],
  [{ is: 'no-terminal', session }, 'It says. Write to it with: sm send 35c21191 "TEXT"'],
  [{ is: 'not-waiting', message: 'm1', state: 'accepted' }, 'It says. See: sm trace m1'],
  [{ is: 'not-waiting', message: 'm1', state: 'withdrawn' }, 'It says.'],
  [{ is: 'name-taken', name: 'login' }, 'It says.'],
  [undefined, 'It says.'],
] as const)('%j has the command that helps', (data, text) => {
  expect(refusalText(data, 'It says.')).toBe(text);
});
