// What every store must do, whatever it is made of. A second one runs this same suite.

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { curveEvents } from '../../../src/domain/context/record.ts';
import type { OwedEffect } from '../../../src/domain/core/effect.ts';
import type { NewEvent } from '../../../src/domain/core/event.ts';
import { eventName } from '../../../src/domain/core/event.ts';
import { highlights } from '../../../src/domain/core/highlights.ts';
import type { MessageState } from '../../../src/domain/core/message.ts';
import type { Process } from '../../../src/domain/core/session.ts';
import type { Letter } from '../../../src/ports/fleet.ts';
import type { Store } from '../../../src/ports/store.ts';
import type { Telling, TellingState } from '../../../src/ports/telling.ts';
import {
  batch,
  curveEvent,
  emptyBatch,
  event,
  killed,
  message,
  messageStates,
  owed,
  session,
} from './records.ts';

const other = (of: NewEvent): NewEvent => ({ ...of, sessionId: 's2' });

export interface StoreUnderTest {
  /** Opens the same store, new at first; after `close`, as it was left. */
  open(): Store;
  /** Removes everything. */
  destroy(): void;
}

export function storeConformance(name: string, make: () => StoreUnderTest): void {
  describe(`the store on ${name}`, () => {
    let place: StoreUnderTest;
    let store: Store;

    beforeEach(() => {
      place = make();
      store = place.open();
    });
    afterEach(async () => {
      await store.close();
      place.destroy();
    });

    const atOnce = async () => {};
    const forget = (before: number) => store.forget({ ended: before, facts: before }, atOnce);

    const reopen = async () => {
      await store.close();
      store = place.open();
    };

    describe('commits', () => {
      it('everything in a batch', async () => {
        await store.commit(
          batch({
            sessions: [session('s1')],
            messages: [message('m1', 1)],
            events: [event('s1', 1)],
            owed: [owed('e1')],
            facts: [{ id: 'f1', at: 1 }],
          }),
        );
        const { states, owed: stillOwed } = await store.load();
        expect(states.map((state) => state.session)).toEqual([session('s1')]);
        expect([...(states[0]?.queue.sequential.values() ?? [])]).toEqual([message('m1', 1)]);
        expect(stillOwed).toEqual([owed('e1')]);
        expect(await store.events({ after: 0, limit: 9 })).toMatchObject([event('s1', 1)]);
        expect(await store.knownFacts(['f1'])).toEqual(new Set(['f1']));
      });

      it('nothing of a batch of which one part cannot be stored', async () => {
        await store.commit(batch({ owed: [owed('e1')] }));
        const impossible = batch({
          sessions: [session('s1')],
          messages: [message('m1', 1)],
          events: [event('s1', 1)],
          facts: [{ id: 'f1', at: 1 }],
          settled: ['e1'],
          owed: [owed('e2'), owed('e2')],
        });
        await expect(store.commit(impossible)).rejects.toMatchObject({ name: 'StoreError', code: 'failed' });
        expect(await store.load()).toEqual({ states: [], owed: [owed('e1')] });
        expect(await store.events({ after: 0, limit: 9 })).toEqual([]);
        expect(await store.message('m1')).toBeNull();
        expect(await store.knownFacts(['f1'])).toEqual(new Set());
        await store.commit(batch({ sessions: [session('s1')] }));
      });

      it('an empty batch', async () => {
        await store.commit(emptyBatch);
        expect(await store.load()).toEqual({ states: [], owed: [] });
      });

      it('the newest of each record', async () => {
        await store.commit(batch({ sessions: [session('s1')], messages: [message('m1', 1)] }));
        const held = message('m1', 1, { state: messageStates.held });
        await store.commit(batch({ sessions: [session('s1', { task: 'later' })], messages: [held] }));
        expect((await store.state('s1'))?.session.task).toBe('later');
        expect(await store.message('m1')).toEqual(held);
      });

      it('whatever part of a session has changed, also after a commit that failed', async () => {
        const first = session('s1', { task: 'one' });
        const heard = { ...first, lastActivityAt: 5, silence: { lookAt: 9, quiet: null } };
        const later = { ...heard, task: 'two', usage: null, lastActivityAt: 6 };
        const last = { ...later, lastActivityAt: 7, silence: null };
        const impossible = batch({ sessions: [later], owed: [owed('e2'), owed('e2')] });
        await store.commit(batch({ sessions: [first] }));
        await store.commit(batch({ sessions: [heard] }));
        expect((await store.state('s1'))?.session).toEqual(heard);
        await expect(store.commit(impossible)).rejects.toMatchObject({ name: 'StoreError' });
        expect((await store.state('s1'))?.session).toEqual(heard);
        await store.commit(batch({ sessions: [last] }));
        expect((await store.state('s1'))?.session).toEqual(last);
        await reopen();
        expect((await store.load()).states.map((state) => state.session)).toEqual([last]);
        await store.commit(batch({ sessions: [{ ...last, lastActivityAt: 8 }] }));
        expect((await store.state('s1'))?.session.lastActivityAt).toBe(8);
      });

      it('what lives on when it is closed and opened again', async () => {
        await store.commit(
          batch({ sessions: [session('s1')], messages: [message('m1', 1)], owed: [owed('e1')] }),
        );
        const before = await store.load();
        await reopen();
        expect(await store.load()).toEqual(before);
      });
    });

    describe('loads', () => {
      it('open messages by their mode and state, in their order, and no others', async () => {
        const all = Object.values(messageStates).map((state, i) => message(`m${i}`, 9 - i, { state }));
        const urgent = message('m9', 20, { mode: 'urgent' });
        await store.commit(batch({ sessions: [session('s1')], messages: [...all, urgent] }));
        const state = await store.state('s1');
        expect([...(state?.queue.sequential.keys() ?? [])]).toEqual(['m1', 'm0']);
        expect([...(state?.queue.urgent.keys() ?? [])]).toEqual(['m9']);
        expect([...(state?.active.keys() ?? [])]).toEqual(['m3', 'm2']);
      });

      it('the messages of a session only to itself', async () => {
        await store.commit(batch({ sessions: [session('s1'), session('s2')], messages: [message('m1', 1)] }));
        expect((await store.state('s2'))?.queue.sequential.size).toBe(0);
      });

      it('what is owed in the order in which it was owed, without what is settled', async () => {
        await store.commit(batch({ owed: ['e10', 'e9', 'e1', 'e2'].map((id) => owed(id)) }));
        await store.commit(batch({ owed: [owed('e3')], settled: ['e9', 'unknown'] }));
        expect((await store.load()).owed.map(({ id }) => id)).toEqual(['e10', 'e1', 'e2', 'e3']);
      });

      it('no session that was killed, which can still be asked for', async () => {
        const alive = session('s1');
        const dead = ['s2', 's3'].map((id) => session(id, { process: killed }));
        await store.commit(batch({ sessions: [alive, ...dead] }));
        expect((await store.load()).states.map((state) => state.session.id)).toEqual(['s1']);
        expect((await store.state('s2'))?.session).toEqual(dead[0]);
        expect((await store.retired(9)).map(({ id }) => id)).toEqual(['s3', 's2']);
        expect(await store.retired(1)).toHaveLength(1);
      });

      it('sessions that were killed by their names, the one that was killed last first', async () => {
        const dead = (id: string, at: number, friendlyName: string | null) =>
          session(id, { name: `first-${id}`, friendlyName, process: { ...killed, at } });
        await store.commit(
          batch({
            sessions: [
              dead('s1', 30, 'worker'),
              dead('s2', 40, 'worker'),
              dead('s3', 20, 'worker'),
              dead('s4', 50, 'other'),
              session('s5', { friendlyName: 'worker' }),
            ],
          }),
        );
        const named = async (name: string, limit = 9) =>
          (await store.retiredNamed(name, limit)).map(({ id }) => id);
        expect(await named('worker')).toEqual(['s2', 's1', 's3']);
        expect(await named('worker', 2)).toEqual(['s2', 's1']);
        // What it was called before somebody named it.
        expect(await named('first-s1')).toEqual(['s1']);
        expect(await named('nobody')).toEqual([]);
        await store.commit(batch({ sessions: [session('s2', { friendlyName: 'worker' })] }));
        expect(await named('worker')).toEqual(['s1', 's3']);
      });

      it('sessions that were killed, and messages, by the beginning of their ids', async () => {
        const ids = ['ab10', 'ab11', 'abff', 'ac00'];
        await store.commit(
          batch({
            sessions: [...ids.map((id) => session(id, { process: killed })), session('ab12')],
            messages: ids.map((id, order) => message(id, order)),
          }),
        );
        const starting = async (prefix: string, limit = 9) =>
          (await store.retiredStarting(prefix, limit)).map(({ id }) => id);
        expect(await starting('ab')).toEqual(['ab10', 'ab11', 'abff']);
        expect(await starting('ab1')).toEqual(['ab10', 'ab11']);
        expect(await starting('ab', 1)).toEqual(['ab10']);
        expect(await starting('ab12')).toEqual([]);
        const messages = await store.messagesStarting('ab1', 9);
        expect(messages.map(({ id }) => id)).toEqual(['ab10', 'ab11']);
        expect(await store.messagesStarting('ab1', 1)).toHaveLength(1);
      });

      it('a session again that was restored, and one that exited by itself', async () => {
        await store.commit(batch({ sessions: [session('s1', { process: killed })] }));
        await store.commit(batch({ sessions: [session('s1')] }));
        const exited = { ...killed, killed: false };
        await store.commit(batch({ sessions: [session('s2', { process: exited })] }));
        expect((await store.load()).states).toHaveLength(2);
        expect(await store.retired(9)).toEqual([]);
      });

      it('nothing for what is not there', async () => {
        expect(await store.state('nobody')).toBeNull();
        expect(await store.message('nothing')).toBeNull();
      });
    });

    describe('remembers facts', () => {
      it('of which it tells the known ones, also when one is told twice', async () => {
        await store.commit(
          batch({
            facts: [
              { id: 'f1', at: 1 },
              { id: 'f2', at: 2 },
            ],
          }),
        );
        await store.commit(
          batch({
            facts: [
              { id: 'f2', at: 9 },
              { id: 'f3', at: 3 },
            ],
          }),
        );
        expect(await store.knownFacts(['f3', 'f1', 'f2', 'f4'])).toEqual(new Set(['f1', 'f2', 'f3']));
        expect(await store.knownFacts([])).toEqual(new Set());
      });
    });

    describe('tells events', () => {
      beforeEach(async () => {
        for (let i = 1; i <= 6; i += 1)
          await store.commit(batch({ events: [event(i % 2 ? 's1' : 's2', i, `${i}`)] }));
      });
      const tasks = async (query: Parameters<Store['events']>[0]) =>
        (await store.events(query)).map(({ body }) => (body as { task: string }).task).join('');

      it('the first ones, oldest first', async () => {
        expect(await tasks({ after: 0, limit: 3 })).toBe('123');
      });

      it('the last ones, oldest first', async () => {
        expect(await tasks({ after: 0, limit: 3, last: true })).toBe('456');
      });

      it('after a number', async () => {
        const [, second] = await store.events({ after: 0, limit: 2 });
        expect(await tasks({ after: second?.number ?? 0, limit: 9 })).toBe('3456');
        expect(await tasks({ after: second?.number ?? 0, limit: 2, last: true })).toBe('56');
      });

      it('of one session', async () => {
        expect(await tasks({ after: 0, limit: 9, sessionId: 's1' })).toBe('135');
        expect(await tasks({ after: 0, limit: 2, sessionId: 's2', last: true })).toBe('46');
        expect(await tasks({ after: 0, limit: 9, sessionId: 's3' })).toBe('');
      });

      it('with numbers that only grow, also when the newest were removed', async () => {
        const numbers = (await store.events({ after: 0, limit: 9 })).map(({ number }) => number);
        await forget(100);
        await reopen();
        await store.commit(batch({ events: [event('s1', 200)] }));
        const [next] = await store.events({ after: 0, limit: 9 });
        expect(next?.number).toBeGreaterThan(Math.max(...numbers));
      });
    });

    it('tells the last event of some kinds', async () => {
      const events = [event('s1', 1, 'first'), curveEvent('s1', 2, 'usage sampled'), event('s2', 3)];
      await store.commit(
        batch({ events: [...events, event('s1', 4, 'last'), curveEvent('s1', 5, 'session lost')] }),
      );
      expect(await store.lastEvent('s1', ['task-set'])).toMatchObject({
        number: 4,
        at: 4,
        body: { task: 'last' },
      });
      expect(await store.lastEvent('s1', ['usage sampled', 'session lost'])).toMatchObject({ number: 5 });
      expect(await store.lastEvent('s1', ['turn began'])).toBeNull();
    });

    describe('tells the curve of a context', () => {
      it('from the samples and what stands between them, and from nothing else', async () => {
        const all = curveEvents.map((name, i) => curveEvent('s1', i + 1, name));
        await store.commit(batch({ events: [event('s1', 1), ...all, event('s1', 9), ...all.map(other)] }));
        const told = await store.curve({ sessionId: 's1', since: 0, limit: 99 });
        expect(told.map(({ body }) => eventName(body))).toEqual(curveEvents);
        expect(told).toMatchObject(all);
      });

      it('since a time, the last ones, oldest first, as they were decided', async () => {
        const times = [10, 20, 20, 30, 40];
        const samples = times.map((at, i) => curveEvent('s1', at, 'usage sampled', i));
        await store.commit(batch({ events: samples }));
        const told = async (since: number, limit: number) =>
          (await store.curve({ sessionId: 's1', since, limit })).map(
            ({ body }) => (body as { percentage: number }).percentage,
          );
        expect(await told(20, 9)).toEqual([1, 2, 3, 4]);
        expect(await told(0, 3)).toEqual([2, 3, 4]);
        expect(await told(41, 9)).toEqual([]);
      });
    });

    describe('tells what a digest is made from', () => {
      const named = (at: number, name: string): NewEvent => {
        const [type, part] = name.split(' ');
        const of = type === 'message' ? { state: part, message: 'm1' } : { step: part };
        return { sessionId: 's1', at, body: { type, ...of, context: 1 } as never };
      };

      it('and nothing else', async () => {
        const all = highlights.map((name, i) => named(i + 1, name));
        const others = ['session launched', 'turn began', 'message queued', 'usage sampled'];
        await store.commit(
          batch({ events: [event('s1', 1), ...all, ...others.map((each) => named(9, each))] }),
        );
        const told = await store.highlights({ since: 0, after: 0, limit: 99 });
        expect(told.map(({ body }) => eventName(body))).toEqual(highlights);
      });

      it('from a time on, page by page, also where several happened at once', async () => {
        await store.commit(batch({ events: [10, 20, 20, 20, 30].map((at) => named(at, 'turn ended')) }));
        const first = await store.highlights({ since: 20, after: 0, limit: 2 });
        expect(first.map(({ number }) => number)).toEqual([2, 3]);
        const rest = await store.highlights({ since: 20, after: 3, limit: 9 });
        expect(rest.map(({ number }) => number)).toEqual([4, 5]);
      });
    });

    describe('keeps what somebody outside is told', () => {
      const telling = (id: string, state: TellingState = { is: 'owed' }): Telling => ({
        id,
        event: 1,
        sessionId: 's1',
        occasion: 'died',
        channel: 'program',
        to: 'bell',
        at: 1,
        state,
      });

      it('with the mark, each once, in the order in which it was owed, until it has ended', async () => {
        expect(await store.tellings.mark()).toBeNull();
        await store.tellings.owe(7, [telling('b'), telling('a')]);
        await store.tellings.owe(9, [telling('b', { is: 'begun', at: 2, process: null })]);
        await reopen();
        expect(await store.tellings.mark()).toBe(9);
        expect(await store.tellings.open()).toEqual([telling('b'), telling('a')]);
        await store.tellings.put(telling('b', { is: 'done', at: 3 }));
        expect((await store.tellings.open()).map(({ id }) => id)).toEqual(['a']);
        expect(await store.tellings.lastTo('program', 'bell')).toMatchObject({ id: 'b' });
        expect(await store.tellings.lastTo('other', 'bell')).toBeNull();
        expect(await store.tellings.lastDone('program', 'bell', 's1')).toMatchObject({ id: 'b' });
        expect(await store.tellings.lastDone('program', 'bell', 'other')).toBeNull();
        await store.tellings.record(telling('c', { is: 'failed', at: 4, why: 'no' }));
        await store.tellings.record(telling('d', { is: 'suppressed', at: 5, why: 'over' }));
        expect(await store.tellings.lastSent('program')).toMatchObject({ id: 'c' });
        expect((await store.tellings.log(['program'], 3)).map(({ id }) => id)).toEqual(['d', 'c', 'a']);
        expect(await store.tellings.log(['other'], 3)).toEqual([]);
        await store.tellings.owe(null, []);
        expect(await store.tellings.mark()).toBeNull();
      });

      it('of what has ended only the last, and all that is open', async () => {
        const done = Array.from({ length: 1_100 }, (_, n) => telling(`d${n}`, { is: 'done', at: n }));
        await store.tellings.owe(1, [telling('first'), ...done]);
        expect(await store.tellings.open()).toHaveLength(1);
        await store.tellings.put(telling('d0', { is: 'owed' }));
        expect(await store.tellings.open()).toHaveLength(1);
        await store.tellings.put(telling('d1099', { is: 'owed' }));
        expect(await store.tellings.open()).toHaveLength(2);
      });

      it('finds the events of some names after a number', async () => {
        const events = [event('s1', 1), curveEvent('s1', 2, 'session lost'), event('s1', 3)];
        await store.commit(batch({ events: [...events, curveEvent('s2', 4, 'session lost')] }));
        const found = await store.eventsNamed({ after: 1, names: ['session lost'], limit: 9 });
        expect(found.map(({ number }) => number)).toEqual([2, 4]);
        expect(await store.eventsNamed({ after: 2, names: ['task-set'], limit: 9 })).toHaveLength(1);
      });
    });

    describe('keeps what belongs to the fleet', () => {
      const mail = (id: string, node = 'gpu1') => ({ id, node, body: `{"id":"${id}"}`, expiresAt: null });
      const letter = (id: string): Letter => ({
        id,
        node: 'gpu1',
        session: 's1',
        from: { kind: 'person' },
        text: 'x',
        mode: 'sequential',
        createdAt: 5,
        expiresAt: null,
        leftAt: null,
        state: 'queued',
        why: null,
        turn: null,
        evidence: null,
        parked: null,
        told: [],
      });

      it('mail in the order in which it was owed, each once, until it has left', async () => {
        await store.fleet.send(letter('b'), mail('b'));
        await store.fleet.owe([mail('a'), mail('b'), mail('c')]);
        await reopen();
        const owed = await store.fleet.owed(0, 9);
        expect(owed.map(({ id }) => id)).toEqual(['b', 'a', 'c']);
        expect((await store.fleet.owed(owed[1]?.number ?? 0, 9)).map(({ id }) => id)).toEqual(['c']);
        await store.fleet.left(['b'], 7);
        expect((await store.fleet.owed(0, 1)).map(({ id }) => id)).toEqual(['a']);
        expect(await store.fleet.letter('b')).toEqual({ ...letter('b'), leftAt: 7 });
      });

      it('letters, of which one can be kept back only before it was offered', async () => {
        for (const id of ['aa1', 'aa2']) await store.fleet.send(letter(id), mail(id));
        await store.fleet.offer(['aa1']);
        expect(await store.fleet.keepBack({ ...letter('aa1'), state: 'expired' })).toBe(false);
        await store.fleet.left(['aa1'], 7);
        expect(await store.fleet.keepBack({ ...letter('aa2'), state: 'expired' })).toBe(true);
        expect((await store.fleet.lettersStarting('aa', 9)).map(({ state }) => state)).toEqual([
          'queued',
          'expired',
        ]);
        expect(await store.fleet.owed(0, 9)).toEqual([]);
        expect((await store.fleet.openLetters('gpu1')).map(({ id }) => id)).toEqual(['aa1']);
        expect(await store.fleet.openLetters('other')).toEqual([]);
        await store.forget({ ended: 6, facts: 6 }, async () => {});
        expect(await store.fleet.letter('aa1')).toBeNull();
      });

      it('whom to tell of which message, and up to which event that is done', async () => {
        expect(await store.fleet.mark()).toBeNull();
        const from = { m1: 'gpu1', m2: 'laptop', m3: 'gpu1' };
        await store.fleet.expect(new Map(Object.entries(from)));
        await store.fleet.unexpect(['m3']);
        await store.fleet.tell(9, [mail('t9')], ['m1']);
        await reopen();
        expect(await store.fleet.mark()).toBe(9);
        expect([...(await store.fleet.expected())]).toEqual([['m2', 'laptop']]);
        expect((await store.fleet.owed(0, 9)).map(({ id }) => id)).toEqual(['t9']);
      });
    });

    describe('keeps records of contexts', () => {
      const began = (context: number, at: number, sessionId = 's1'): NewEvent => ({
        sessionId,
        at,
        body: { type: 'context', step: 'began', context, providerId: `c${context}`, by: 'clear' },
      });

      it('by the events that are committed, also when those are forgotten', async () => {
        await store.commit(batch({ events: [began(1, 10), curveEvent('s1', 11, 'usage sampled', 40)] }));
        await store.commit(batch({ events: [began(2, 20), began(1, 5, 's2')] }));
        await forget(100);
        await reopen();
        expect(await store.contexts('s1', 9)).toMatchObject([
          {
            sessionId: 's1',
            number: 1,
            providerId: 'c1',
            began: { at: 10, how: 'clear' },
            ended: { at: 20, how: 'clear' },
            peak: { percentage: 40 },
          },
          { number: 2, began: { at: 20 }, ended: null, peak: null },
        ]);
        expect(await store.contexts('s2', 9)).toHaveLength(1);
        expect(await store.contexts('s3', 9)).toEqual([]);
      });

      it('of which it tells the last ones, oldest first', async () => {
        await store.commit(batch({ events: Array.from({ length: 12 }, (_, i) => began(i + 1, i)) }));
        expect((await store.contexts('s1', 3)).map(({ number }) => number)).toEqual([10, 11, 12]);
      });

      it('and none of a batch that was not stored', async () => {
        const impossible = batch({ events: [began(1, 1)], owed: [owed('e2'), owed('e2')] });
        await expect(store.commit(impossible)).rejects.toMatchObject({ name: 'StoreError' });
        expect(await store.contexts('s1', 9)).toEqual([]);
      });
    });

    describe('forgets', () => {
      const at = (state: MessageState, time: number): MessageState =>
        'at' in state ? { ...state, at: time } : state;
      const told = (id: string, time: number): NewEvent => ({
        sessionId: 's1',
        at: time,
        body: { type: 'message', state: 'held', message: id, why: 'draft' },
      });
      const known = async (...ids: string[]) => {
        const found = await Promise.all(ids.map((id) => store.message(id)));
        return ids.filter((_, i) => found[i]);
      };

      it('events and facts that are older than asked for, and nothing else', async () => {
        await store.commit(
          batch({
            sessions: [session('s1')],
            messages: [message('m1', 1)],
            owed: [owed('e1')],
            events: [event('s1', 10), event('s1', 20)],
            facts: [
              { id: 'f10', at: 10 },
              { id: 'f20', at: 20 },
            ],
          }),
        );
        await forget(20);
        expect((await store.events({ after: 0, limit: 9 })).map(({ at }) => at)).toEqual([20]);
        expect(await store.knownFacts(['f10', 'f20'])).toEqual(new Set(['f20']));
        const { states, owed: stillOwed } = await store.load();
        expect(states[0]?.queue.sequential.size).toBe(1);
        expect(stillOwed).toHaveLength(1);
      });

      it('facts by an age of their own', async () => {
        await store.commit(batch({ events: [event('s1', 10)], facts: [{ id: 'f10', at: 10 }] }));
        await store.forget({ ended: 20, facts: 5 }, atOnce);
        expect(await store.events({ after: 0, limit: 9 })).toEqual([]);
        expect(await store.knownFacts(['f10'])).toEqual(new Set(['f10']));
      });

      it.each(Object.values(messageStates).map((state) => [state.is, state] as const))(
        'a message that is %s by its end, if that is one',
        async (is, state) => {
          const isOpen = ['queued', 'held', 'typed', 'accepted'].includes(is);
          await store.commit(
            batch({
              sessions: [session('s1')],
              messages: [
                message('m10', 1, { state: at(state, 10) }),
                message('m20', 2, { state: at(state, 20), createdAt: 1 }),
              ],
            }),
          );
          await forget(20);
          expect(await known('m10', 'm20')).toEqual(isOpen ? ['m10', 'm20'] : ['m20']);
        },
      );

      it('what was told of a message together with it, and no sooner', async () => {
        await store.commit(
          batch({
            messages: [
              message('open', 1),
              message('young', 2, { state: at(messageStates.answered, 30) }),
              message('old', 3, { state: at(messageStates.answered, 12) }),
            ],
            events: [told('open', 10), told('young', 10), told('old', 10), told('young', 30)],
          }),
        );
        await forget(20);
        expect(await store.eventsOfMessage('old')).toEqual([]);
        expect(await store.eventsOfMessage('open')).toHaveLength(1);
        expect((await store.eventsOfMessage('young')).map(({ at }) => at)).toEqual([10, 30]);
      });

      it('no message that is still to be posted, by which it is known if it is posted again', async () => {
        const post: OwedEffect['effect'] = {
          do: 'post',
          to: 's2',
          message: 'm1',
          text: '',
          mode: 'important',
        };
        await store.commit(
          batch({
            messages: [message('m1', 1, { state: at(messageStates.answered, 10) })],
            owed: [{ ...owed('e1'), effect: post }],
          }),
        );
        await forget(20);
        expect(await known('m1')).toEqual(['m1']);
        await store.commit(batch({ settled: ['e1'] }));
        await forget(20);
        expect(await known('m1')).toEqual([]);
      });

      it('sessions that were killed before, with all that is theirs, and no others', async () => {
        const end = (id: string, time: number, wasKilled = true) =>
          session(id, { process: { ...killed, at: time, killed: wasKilled } as Process });
        const began = (sessionId: string): NewEvent => ({
          sessionId,
          at: 1,
          body: { type: 'context', step: 'began', context: 1, providerId: 'c1', by: 'launch' },
        });
        const all = [end('old', 10), end('young', 20), end('exited', 10, false), session('alive')];
        await store.commit(
          batch({
            sessions: all,
            events: all.map(({ id }) => began(id)),
            messages: [message('left', 1, { to: 'old' }), message('waits', 2, { to: 'exited' })],
          }),
        );
        await forget(20);
        expect((await store.load()).states.map((state) => state.session.id)).toEqual(['exited', 'alive']);
        expect((await store.retired(9)).map(({ id }) => id)).toEqual(['young']);
        expect(await store.state('old')).toBeNull();
        expect(await store.contexts('old', 9)).toEqual([]);
        for (const id of ['young', 'exited', 'alive']) expect(await store.contexts(id, 9)).toHaveLength(1);
        expect(await known('left', 'waits')).toEqual(['waits']);
      });

      it('no session that still owes something', async () => {
        await store.commit(
          batch({ sessions: [session('s1', { process: killed })], owed: [owed('e1', 's1')] }),
        );
        await forget(20);
        expect(await store.state('s1')).not.toBeNull();
        await store.commit(batch({ settled: ['e1'] }));
        await forget(20);
        expect(await store.state('s1')).toBeNull();
      });

      it('a little at a time, however long the texts are, and no more when it is told to stop', async () => {
        const many = Array.from({ length: 200 }, (_, i) => i);
        const state = at(messageStates.answered, 10);
        await store.commit(
          batch({
            messages: [
              ...many.map((i) => message(`m${i}`, i, { state })),
              ...[1, 2, 3].map((i) => message(`long${i}`, i, { state, text: 'x'.repeat(500_000) })),
            ],
            events: [
              ...many.map((i) => event('s1', i % 10)),
              ...many.map(() => told('m0', 10)),
              ...many.map((i) => told(`m${i}`, 10)),
            ],
            facts: many.map((i) => ({ id: `f${i}`, at: 10 })),
          }),
        );
        const left = async () => {
          const messages = await known(...many.map((i) => `m${i}`), 'long1', 'long2', 'long3');
          const events = (await store.events({ after: 0, limit: 2_000 })).length;
          return messages.length + events + (await store.knownFacts(many.map((i) => `f${i}`))).size;
        };
        let before = await left();
        let steps = 0;
        const stop = new Error('enough');
        const pausing = store.forget({ ended: 20, facts: 20 }, async () => {
          const now = await left();
          expect(before - now).toBeLessThanOrEqual(50);
          before = now;
          steps += 1;
          if (steps === 3) throw stop;
        });
        await expect(pausing).rejects.toBe(stop);
        expect(await left()).toBe(before);
        expect(before).toBeGreaterThan(500);
        const longOnes: number[] = [];
        await store.forget({ ended: 20, facts: 20 }, async () => {
          longOnes.push((await known('long1', 'long2', 'long3')).length);
          expect(before - (await left())).toBeLessThanOrEqual(50);
          before = await left();
        });
        // One of half a megabyte is as much as a step takes.
        for (const [i, count] of longOnes.entries()) expect((longOnes[i - 1] ?? 3) - count).toBeLessThan(2);
        expect(await left()).toBe(0);
      });
    });

    describe('keeps text as it is', () => {
      it.each([
        ['nothing', ''],
        ['NUL', 'a\0b\0'],
        ['every control character', Array.from({ length: 32 }, (_, i) => String.fromCharCode(i)).join('')],
        ['lone surrogates', 'a\ud800b\udc00'],
        ['emoji', '👩‍👩‍👧‍👦 🇩🇪'],
        ['what looks like SQL or JSON', `'; DROP TABLE message; -- {"state":{"is":"failed"}} \\u0000`],
        ['direction marks', '\u202eabc\u2028\u2029\ufeff'],
        ['a megabyte', 'ä\n'.repeat(500_000)],
      ])('%s', async (_, text) => {
        await store.commit(
          batch({
            sessions: [session('s1', { task: text })],
            messages: [message('m1', 1, { text })],
            events: [event('s1', 1, text)],
          }),
        );
        await reopen();
        expect((await store.message('m1'))?.text).toBe(text);
        expect((await store.load()).states[0]?.session.task).toBe(text);
        expect((await store.events({ after: 0, limit: 1 }))[0]?.body).toEqual({
          type: 'task-set',
          task: text,
        });
      });
    });
  });
}
