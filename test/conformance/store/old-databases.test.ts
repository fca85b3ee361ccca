// Databases that older versions have left, in every step that a session can be in (test/fixtures/databases/lives):
// what is in them is as true after the migration as what we decide today, and goes on from there.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventText } from '../../../src/cli/text/event.ts';
import { apply } from '../../../src/domain/core/change.ts';
import type { Input } from '../../../src/domain/core/input.ts';
import type { State } from '../../../src/domain/core/session.ts';
import { decide } from '../../../src/domain/decide.ts';
import { owedViolations, violations } from '../../../src/domain/invariants.ts';
import type { Store } from '../../../src/ports/store.ts';
import { eventView } from '../../../src/server/view.ts';
import { openSqliteStore } from '../../../src/store/sqlite/store.ts';
import { alone, killIt, workingSession } from '../../support/session.ts';

const lives = join(import.meta.dirname, '../../fixtures/databases/lives');
const ofAttempt = ['awaits', 'back', 'id', 'looks', 'messages', 'step', 'text', 'types'];
const fieldsOf = {
  looking: [...ofAttempt, 'scrolledSince'].sort(),
  typed: [...ofAttempt, 'doubt', 'enters', 'pastes', 'unwanted'].sort(),
  scheduled: [],
  due: ['at', 'ending'],
  checking: ['effect', 'ending'],
  clearing: ['copy', 'ending'],
  cleared: ['copy', 'ending', 'message'],
  prompted: ['copy', 'ending', 'message'],
  interrupt: ['awaits', 'for', 'looks', 'step', 'turn'],
  question: ['call', 'hook', 'kind', 'overdueAt', 'since', 'subject', 'text'],
  exited: ['at', 'code', 'killed', 'notStarted', 'reason', 'screen', 'signal', 'state'],
  reminder: ['hard', 'next', 'sent', 'since', 'soft', 'unheeded', 'until'],
};
const manners = alone.settings.manners('scripted');

describe.each(readdirSync(lives))('the lives of %s', (name) => {
  let folder: string;
  let store: Store;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'sm-old-'));
    const file = join(folder, 'sm.db');
    const db = new DatabaseSync(file);
    db.exec(`BEGIN; ${readFileSync(join(lives, name), 'utf8')}; COMMIT`);
    db.close();
    store = openSqliteStore(file);
  });

  afterEach(async () => {
    await store.close();
    rmSync(folder, { recursive: true });
  });

  it('keep to every rule', async () => {
    const { states, owed } = await store.load();
    expect(states.length).toBeGreaterThan(50);
    for (const state of states) {
      const { id } = state.session;
      const own = owed.filter(({ sessionId }) => sessionId === id);
      expect([id, ...violations(state, manners), ...owedViolations(state, own)]).toEqual([id]);
    }
  });

  it('have the shapes of today', async () => {
    const { states } = await store.load();
    const seen = new Set<string>();
    const attempts = new Set<string>();
    for (const { session } of states) {
      const { handoff, reminder, attempt } = session;
      if (attempt) {
        const { step, types, back, awaits } = attempt;
        const next = 'effect' in awaits ? awaits.effect : awaits.lookAt;
        attempts.add(
          `${step}${back ? ' on top' : ''}: ${types.is}, awaits ${'effect' in awaits ? 'an effect' : 'a look'}`,
        );
        expect(Object.keys(attempt).sort()).toEqual(fieldsOf[step]);
        expect([next, attempt.messages, back?.messages ?? []]).not.toContain(null);
        if (types.is === 'messages') expect(typeof types.midTurn).toBe('boolean');
        if (step === 'typed')
          expect([attempt.doubt ?? {}, typeof attempt.pastes]).toEqual([expect.any(Object), 'number']);
      }
      if (handoff) {
        const { step, path, asked, ...rest } = handoff;
        seen.add(`${step} ${asked.by}`);
        expect(Object.keys(rest).sort()).toEqual(fieldsOf[step]);
        expect([typeof path, typeof (asked.by === 'agent' ? asked.idle : asked.newerThan)]).toEqual([
          'string',
          'number',
        ]);
        if ('ending' in rest && rest.ending) expect(rest.ending.end).toEqual(expect.any(String));
      }
      if (reminder) {
        seen.add(`${reminder.next} next${reminder.sent === null ? '' : ', one sent'}`);
        expect(Object.keys(reminder).sort()).toEqual(fieldsOf.reminder);
      }
    }
    // Both steps of each thing that is typed, with and without a prompt that came back.
    expect(attempts.size).toBe(18);
    expect([...seen].sort()).toEqual([
      'checking agent',
      'checking monitor',
      'cleared agent',
      'clearing agent',
      'clearing monitor',
      'due agent',
      'hard next',
      'hard next, one sent',
      'prompted agent',
      'scheduled agent',
      'scheduled monitor',
      'soft next',
      'soft next, one sent',
    ]);
  });

  it('have every field of today, and no other', async () => {
    const { states } = await store.load();
    const keysOf = (one: object) => Object.keys(one).sort();
    const { session: today } = workingSession().state;
    for (const { session } of states) {
      const { context, turn, endedTurns, question, process, commands, rulings } = session;
      expect(keysOf(session)).toEqual(keysOf(today));
      expect(keysOf(context)).toEqual(keysOf(today.context));
      expect(keysOf(session.cycle)).toEqual(keysOf(today.cycle));
      if (turn) expect(keysOf(turn)).toEqual(keysOf(today.turn ?? {}));
      if (turn?.interrupt) {
        const { step, awaits } = turn.interrupt;
        const pressed = step === 'looking' ? [] : ['presses', 'composerWasEmpty'];
        expect(keysOf(turn.interrupt)).toEqual([...fieldsOf.interrupt, ...pressed].sort());
        expect('effect' in awaits ? awaits.effect : awaits.lookAt).not.toBeNull();
      }
      for (const each of commands) expect('attempt' in each).toBe(each.is !== 'waiting');
      for (const each of rulings) expect(keysOf(each.question)).toEqual(fieldsOf.question);
      if (question) expect(keysOf(question)).toEqual(fieldsOf.question);
      if (process.state === 'exited') expect(keysOf(process)).toEqual(fieldsOf.exited);
      for (const each of endedTurns) expect(keysOf(each)).toEqual(['ending', 'id', 'prompted']);
    }
  });

  it.each([
    ['time passes', { type: 'due' }],
    ['the daemon finds them', { type: 'adopted' }],
    ['they are killed', killIt],
  ] as [string, Input][])('go on when %s', async (_, input) => {
    const { states, owed } = await store.load();
    for (const state of states) {
      const own = owed.filter(({ sessionId }) => sessionId === state.session.id);
      const outcome = decide(state, input, latest(state) + 3_600_000, alone);
      if (!outcome.ok) continue;
      const { decision } = outcome;
      apply(state, decision);
      const still = [...own, ...decision.effects].filter(({ id }) => !decision.settled.includes(id));
      const { id } = state.session;
      expect([id, ...violations(state, manners), ...owedViolations(state, still)]).toEqual([id]);
    }
  });

  it('are told in words', async () => {
    const events = (await store.events({ after: 0, limit: 1_000 })).map(eventView);
    expect(events.length).toBeGreaterThan(60);
    for (const event of events) {
      if (event.type === 'one-shot' && event.step === 'set') expect(event.due).toBeGreaterThan(1_000_000);
      expect(eventText(event)).not.toMatch(/[{}]|undefined|\[object/);
    }
  });
});

const latest = ({ session }: State): number => Math.max(session.createdAt, session.lastActivityAt);
