// For tests of what reaches an agent while a turn runs.

import type { Look } from '../../src/domain/core/fact.ts';
import { quietly } from '../../src/domain/core/message.ts';
import type { Mode } from '../../src/domain/core/names.ts';
import { idleSession, screens, sent, type TestSession } from './session.ts';

export const working = screens.composer('', 'working');
export const prompt = (id: string) => `[sm] from the user #${id}:\ntext of ${id}`;
export const owedKinds = (s: TestSession) => s.owed.map(({ effect }) => effect.do);
export const posts = (s: TestSession) =>
  s.owed.flatMap(({ effect }) => (effect.do === 'post' ? [effect] : []));
export const fromBoss = (id: string, mode: 'sequential' | 'important' | 'urgent' = 'sequential') =>
  sent({
    id,
    mode,
    from: { kind: 'session', id: 'boss', name: 'boss' },
    notify: { ...quietly, turnEnd: true },
  });

/** Accepted by the turn `p1`, from a session that wants to hear of its end. */
export function workingForBoss(mode: Mode = 'sequential'): TestSession {
  const s = idleSession({ parentId: null });
  s.take(fromBoss('aaaaaaaa', mode));
  s.see(screens.composer());
  s.submitted('typed');
  s.hear({
    is: 'prompt-submitted',
    turnId: 'p1',
    text: '[sm] from boss (boss) #aaaaaaaa:\ntext of aaaaaaaa',
  });
  return s;
}

export function important(s: TestSession, id: string): void {
  s.send(id, undefined, 'important');
  s.see(working);
  s.submitted('typed');
  s.hear({ is: 'prompt-submitted', turnId: 'p1', text: prompt(id) });
}

export function urgent(s: TestSession, id: string, look: Look | null = working): void {
  s.send(id, undefined, 'urgent');
  s.see(look);
}

/** Whatever looks follow our Escape show this. */
export function afterEscape(s: TestSession, look: Look): void {
  for (let looks = 0; looks < 5; looks += 1) {
    s.wait(240);
    s.see(look);
  }
}
