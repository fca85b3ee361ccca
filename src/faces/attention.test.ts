import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { session } from '../../test/support/stand-in-daemon.ts';
import type { SessionView } from '../protocol/session.ts';
import { arrange, stateOf, tierOf, type Wanted } from './attention.ts';

const at = (minute: number) => `2025-01-02T11:${String(minute).padStart(2, '0')}:00.000Z`;
const asking = (minute: number): Partial<SessionView> => ({
  phase: 'blocked',
  question: { id: 'q', kind: 'permission', text: 'May I?', since: at(minute) },
});
const ended = { at: at(1), code: 0, signal: null, reason: 'exited', killed: false };
const everything: Wanted = {
  pinned: new Set(),
  snoozed: new Map(),
  folded: new Set(),
  byRepository: false,
  shows: () => true,
};

let minute = 0;
const make = (id: string, changes: Partial<SessionView> = {}): SessionView => {
  minute += 1;
  return session({ id, name: id, created_at: at(minute % 60), ...changes });
};

const text = (sessions: readonly SessionView[], wanted: Partial<Wanted> = {}): string[] =>
  arrange(sessions, { ...everything, ...wanted }).map((line) => {
    if (line.kind === 'title') return line.text;
    const { branches, session: shown, hidden } = line.row;
    return `${'-'.repeat(branches.length)}${shown.id}${hidden > 0 ? `+${hidden}` : ''}`;
  });

describe('the order', () => {
  it('is by need, and within a need by age; who waits longest is first', () => {
    const sessions = [
      make('idle'),
      make('busy', { phase: 'working' }),
      make('newer', asking(9)),
      make('older', asking(3)),
      make('gone', { phase: 'exited', ended }),
      make('crashed', { phase: 'exited', ended: { ...ended, code: 1 } }),
      make('lost', { phase: 'lost', ended: { ...ended, code: null } }),
      make('failed', { last_turn: { end: 'failed', at: at(2) } }),
      make('silent', { phase: 'working', silent: true }),
      make('odd', { phase: 'working', screen_unrecognised_since: at(1) }),
    ];
    expect(text(sessions)).toEqual([
      'WAITING FOR YOU',
      'older',
      'newer',
      'FAILED OR SILENT',
      'crashed',
      'lost',
      'failed',
      'silent',
      'odd',
      'WORKING',
      'busy',
      'IDLE',
      'idle',
      'GONE',
      'gone',
    ]);
  });

  it('lifts a whole family with the child that waits', () => {
    const sessions = [
      make('other', { phase: 'working' }),
      make('parent'),
      make('child', { parent_session_id: 'parent', ...asking(1) }),
      make('second', { parent_session_id: 'parent' }),
      make('grandchild', { parent_session_id: 'child' }),
    ];
    expect(text(sessions)).toEqual([
      'WAITING FOR YOU',
      'parent',
      '-child',
      '--grandchild',
      '-second',
      'WORKING',
      'other',
    ]);
    expect(text(sessions, { folded: new Set(['parent']) }).slice(0, 2)).toEqual([
      'WAITING FOR YOU',
      'parent+3',
    ]);
  });

  it('keeps a parent for the sake of a child that is shown', () => {
    const sessions = [make('parent'), make('child', { parent_session_id: 'parent' }), make('other')];
    expect(text(sessions, { shows: ({ id }) => id === 'child' })).toEqual(['IDLE', 'parent', '-child']);
  });

  it('has what is pinned first, and what is snoozed last until something changes about it', () => {
    const waiting = make('waiting', asking(1));
    const sessions = [make('idle'), make('pinned'), waiting];
    const snoozed = new Map([['waiting', stateOf(waiting)]]);
    const choices = { pinned: new Set(['pinned']), snoozed };
    expect(text(sessions, choices)).toEqual(['PINNED', 'pinned', 'IDLE', 'idle', 'SNOOZED', 'waiting']);
    const changed = sessions.map((each) => (each === waiting ? { ...each, ...asking(2) } : each));
    expect(text(changed, choices)).toEqual([
      'PINNED',
      'pinned',
      'WAITING FOR YOU',
      'waiting',
      'IDLE',
      'idle',
    ]);
  });

  it('is by repository where that is wanted', () => {
    const sessions = [
      make('a', { working_dir: '/code/web' }),
      make('b', { working_dir: '/code/docs' }),
      make('c', { working_dir: '/code/web', ...asking(1) }),
    ];
    expect(text(sessions, { byRepository: true })).toEqual(['docs', 'b', 'web', 'c', 'a']);
  });

  it('has everybody exactly once, whoever is whose parent', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    fc.assert(
      fc.property(
        fc.array(fc.option(fc.constantFrom(...ids, 'unknown')), { minLength: 5, maxLength: 5 }),
        (parents) => {
          const sessions = ids.map((id, index) => make(id, { parent_session_id: parents[index] ?? null }));
          const shown = arrange(sessions, everything).flatMap((line) =>
            line.kind === 'session' ? [line.row.session.id] : [],
          );
          expect(shown.sort()).toEqual(ids);
        },
      ),
    );
  });
});

it.each([
  ['blocked', 'waiting'],
  ['working', 'working'],
  ['starting', 'working'],
  ['compacting', 'working'],
  ['rotating', 'working'],
  ['idle', 'idle'],
] as const)('%s is %s', (phase, tier) => {
  expect(tierOf(make('x', { phase }))).toBe(tier);
});
