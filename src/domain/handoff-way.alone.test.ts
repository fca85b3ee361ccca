// The way of a handoff through the rooms, recorded while one happens: it enters the room of handoffs once for each of
// its steps, by the one door or as a reaction, and no room ever calls one above it.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';

/** The lowest first, as in ARCHITECTURE.md. */
const rooms = ['core', 'notices', 'delivery', 'turns', 'life', 'promises', 'context'];

interface Call {
  readonly from: string;
  readonly to: string;
  /** `handoff.documentChecked` */
  readonly what: string;
}

let calls: Call[] = [];
/** Who is at work: a room, `door` (decide.ts) or `reactions`. */
const stack = ['door'];

function recorded(module: Record<string, unknown>, to: string, file: string): Record<string, unknown> {
  const wrap = ([name, value]: [string, unknown]): [string, unknown] => {
    if (typeof value !== 'function') return [name, value];
    const call = (...args: unknown[]) => {
      calls.push({ from: stack.at(-1) as string, to, what: `${file}.${name}` });
      stack.push(to);
      try {
        return value(...args);
      } finally {
        stack.pop();
      }
    };
    return [name, call];
  };
  return Object.fromEntries(Object.entries(module).map(wrap));
}

let support: typeof import('../../test/support/session.ts');
beforeAll(async () => {
  const record = (path: string, to: string, file: string) =>
    vi.doMock(path, async (original) => recorded(await original(), to, file));
  for (const room of rooms) {
    for (const file of readdirSync(join(import.meta.dirname, room)))
      if (/^[^.]+\.ts$/.test(file)) record(join(import.meta.dirname, room, file), room, file.slice(0, -3));
  }
  record(join(import.meta.dirname, 'reactions.ts'), 'reactions', 'reactions');
  support = await import('../../test/support/session.ts');
});

test('a handoff enters its room once for each step, and rooms call downwards only', () => {
  const { screens, workingSession } = support;
  const path = '/notes/handoff.md';
  const s = workingSession();
  calls = [];
  s.take({ type: 'handoff', by: { kind: 'session', id: 's1' }, path, auto: false });
  s.hear({ is: 'turn-ended', turnId: 'p1', lastWords: 'bye' });
  s.answer({ of: 'check-document', outcome: 'kept', copy: '/kept/1.md' });
  while (s.owed.some(({ effect }) => effect.do === 'look')) s.see(screens.composer());
  s.submitted('typed');
  s.hear({ is: 'context-ended', reason: 'clear' });
  s.hear({ is: 'agent-started', providerId: 'c2', source: 'clear' });
  s.see(screens.composer());
  s.submitted('typed');
  const text = `Read ${path} and continue from where you left off.`;
  s.hear({ is: 'prompt-submitted', turnId: 'p2', providerId: 'c2', text });
  expect(s.state.session.lastHandoff).toMatchObject({ path, context: 2 });

  const entries = calls.filter(({ what, from }) => /^handoff\./.test(what) && from !== 'context');
  // These two are asked after every input, whether there is a handoff or not.
  const always = ['handoff.pursueHandoff', 'handoff.handoffDueAt'];
  expect(
    entries.filter(({ what }) => !always.includes(what)).map(({ from, what }) => `${from} → ${what}`),
  ).toEqual([
    'door → handoff.handoff',
    'reactions → handoff.handoffAtTurnEnd',
    'door → handoff.documentChecked',
    'reactions → handoff.handoffTyped',
    'reactions → handoff.contextLost',
    'reactions → handoff.handoffCleared',
    'reactions → handoff.handoffTyped',
    'reactions → handoff.handoffAccepted',
  ]);

  const level = (room: string) => rooms.indexOf(room);
  const upwards = calls.filter(({ from, to }) => level(from) >= 0 && level(to) > level(from));
  expect([...new Set(upwards.map(({ from, what }) => `${from} → ${what}`))]).toEqual([]);
});
