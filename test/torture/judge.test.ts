// The judge is judged: of a history in which all is well he says nothing, and of each thing that can be wrong he says it.
import { describe, expect, it } from 'vitest';
import type { EventBody } from '../../src/domain/core/event.ts';
import type { Message } from '../../src/domain/core/message.ts';
import { type Forged, turn, wellForged } from './forged.ts';
import { judge } from './judge.ts';
import { planOf } from './plan.ts';

const become = (f: Forged, id: string, part: object): void => {
  f.messages = f.messages.map((each) =>
    each.id === id ? ({ ...each, state: { ...each.state, ...part } } as Message) : each,
  );
};
const log = (f: Forged, id = 'hand') => f.logs.get(id) ?? [];
const drop = (f: Forged, fits: (body: EventBody) => boolean): void => {
  f.events = f.events.filter(({ body }) => !fits(body));
};
const tell = (f: Forged, session: string, body: EventBody, at = 9_000_000): void => {
  f.events.push({ number: f.events.length + 1_000, session, at, body });
};
const isNotice = (about: string) => (body: EventBody) =>
  body.type === 'notice-posted' && body.about === about;
const is = (type: string, step: string) => (body: EventBody) =>
  body.type === type && 'step' in body && body.step === step;
const retold = (f: Forged, fits: (body: EventBody) => boolean): void => {
  const found = f.events.find(({ body }) => fits(body));
  if (found) tell(f, found.session, found.body);
};
const at = (f: Forged, fits: (body: EventBody) => boolean, ms: number): void => {
  f.events = f.events.map((each) => (fits(each.body) ? { ...each, at: each.at + ms } : each));
};

/** What was forged, and what the judge has to say of it. */
const forgeries: Record<string, [RegExp, (f: Forged) => void]> = {
  'a message is taken twice': [
    /aaaaaaaa .* taken 2 times/,
    (f) => log(f).push(...turn('c2', 't9', ['#aaaaaaaa:\nagain'], 'x')),
  ],
  'a message is told as taken, and is lost': [
    /aaaaaaaa is told as answered, and was never taken/,
    (f) => log(f).splice(0, 3),
  ],
  'a message never ends': [
    /aaaaaaaa to hand is still queued/,
    (f) => become(f, 'aaaaaaaa', { is: 'queued' }),
  ],
  'a message is told as expired, and was taken': [
    /cccccccc is told as expired, and was taken/,
    (f) => log(f).push(...turn('c2', 't9', ['#cccccccc:\ndo 3.'], 'x')),
  ],
  'what was promised to be kept is not': [
    /"do 9." was taken from its sender/,
    (f) => f.asked.push({ words: 'do 9.', to: 'hand', answer: 'ok' }),
  ],
  'what was refused is kept': [
    /"do 2." was refused/,
    (f) => f.asked.push({ words: 'do 2.', to: 'hand', answer: 'refused' }),
  ],
  'one request is kept twice': [
    /"do 1." was asked for once/,
    (f) => {
      f.messages.push({
        ...(f.messages[0] as Message),
        id: '99999999',
        state: { is: 'withdrawn', at: 0, why: '' },
      });
    },
  ],
  'a later message overtakes an earlier one': [
    /dddddddd came before bbbbbbbb/,
    (f) => {
      f.logs.set('hand', [
        ...turn('c0', 't0', ['#dddddddd:\ndo 4.'], 'x'),
        ...log(f).map((each) =>
          'text' in each
            ? { ...each, text: each.text.replace(/\n\n\[sm\] from lead \(lead\) #d.*$/s, '') }
            : each,
        ),
      ]);
    },
  ],
  'a turn that was cut is told as an answer': [
    /eeeeeeee is told as answered .* did not end by itself/,
    (f) => become(f, 'eeeeeeee', { is: 'answered' }),
  ],
  'a turn that ended is told as interrupted': [
    /aaaaaaaa is told as interrupted .* ended by itself/,
    (f) => become(f, 'aaaaaaaa', { is: 'interrupted', why: '' }),
  ],
  'a turn that ended is told as dead': [
    /aaaaaaaa is told as died .* ended by itself/,
    (f) => become(f, 'aaaaaaaa', { is: 'died', why: '' }),
  ],
  'a turn that ended is told as failed': [
    /aaaaaaaa is told as failed .* did not fail/,
    (f) => become(f, 'aaaaaaaa', { is: 'failed', why: '' }),
  ],
  'a notice of an end comes twice': [
    /turn-end of bbbbbbbb to lead was posted 2 times/,
    (f) => retold(f, isNotice('turn-end')),
  ],
  'a notice of an end never comes': [
    /lead was never told that bbbbbbbb/,
    (f) => drop(f, isNotice('turn-end')),
  ],
  'a notice of a failure never comes': [
    /lead was never told that cccccccc/,
    (f) => drop(f, isNotice('failed')),
  ],
  'what arrived is told as not arrived': [
    /lead was told that dddddddd did not arrive/,
    (f) =>
      tell(f, 'hand', {
        type: 'notice-posted',
        message: 'dddddddd',
        to: 'lead',
        about: 'failed',
        notice: 'handn2',
      }),
  ],
  'a notice is lost on its way': [
    /notice handn3 .* is not in the store/,
    (f) => {
      f.messages = f.messages.filter(({ id }) => id !== 'handn3');
      log(f, 'lead').splice(-3);
    },
  ],
  'a notice repeats words of another turn': [
    /notice handn1 repeats "did 7."/,
    (f) => {
      const other = (text: string) => text.replace('did 2.', 'did 7.');
      f.messages = f.messages.map((each) =>
        each.id === 'handn1' ? { ...each, text: other(each.text) } : each,
      );
      f.logs.set(
        'lead',
        log(f, 'lead').map((each) => ('text' in each ? { ...each, text: other(each.text) } : each)),
      );
    },
  ],
  'a text of ours is taken twice': [
    /"\[sm\] remember" .* taken 2 times, and 1/,
    (f) => log(f).push(...turn('c2', 't9', ['[sm] remember'], 'x')),
  ],
  'a text of ours is told as taken, and is lost': [
    /"\[sm\] remember" .* taken 0 times, and 1/,
    (f) => log(f).splice(-3),
  ],
  'a wait is told twice': [
    /lead waited 1 times for hand, and was told 2 times/,
    (f) => retold(f, isNotice('watch')),
  ],
  'a wait is never told': [
    /lead waited 1 times for hand, and was told 0 times/,
    (f) => drop(f, isNotice('watch')),
  ],
  'a reminder has no reason': [
    /hand is reminded \(handr1\) without a reason/,
    (f) => drop(f, is('reminder', 'started')),
  ],
  'a reminder comes too early': [
    /hand is reminded 500 ms before its time/,
    (f) => at(f, is('reminder', 'sent'), -500),
  ],
  'a reminder is typed when its reason is gone': [
    /reminder handr1 was typed into hand when its reason was gone/,
    (f) => tell(f, 'hand', { type: 'message', message: 'handr1', state: 'typed', attempt: 'a2' }),
  ],
  'a one-shot comes too early': [
    /one-shot o1 of hand came \d+ ms before its time/,
    (f) => at(f, is('one-shot', 'sent'), -900),
  ],
  'a one-shot comes twice': [/one-shot o1 of hand came 2 times/, (f) => retold(f, is('one-shot', 'sent'))],
  'a one-shot never comes': [/one-shot o1 of hand never came/, (f) => drop(f, is('one-shot', 'sent'))],
  'a one-shot comes from nowhere': [
    /one-shot o1 of hand was never set/,
    (f) => drop(f, is('one-shot', 'set')),
  ],
  'a one-shot comes after it was cancelled': [
    /one-shot o2 of hand came after it was cancelled/,
    (f) => {
      tell(f, 'hand', { type: 'one-shot', step: 'set', reminder: 'o2', due: 1, every: null });
      tell(f, 'hand', { type: 'one-shot', step: 'cancelled', reminder: 'o2' });
      tell(f, 'hand', { type: 'one-shot', step: 'sent', reminder: 'o2', message: 'handr3' });
    },
  ],
  'a handoff stops half way': [
    /handoff of hand with handr2 has neither ended nor failed/,
    (f) => drop(f, (body) => is('handoff', 'done')(body) || is('session', 'lost')(body)),
  ],
  'a context begins with something else': [
    /context of hand begins with "first this"/,
    (f) => log(f).splice(-6, 0, ...turn('c2', 't0', ['first this'], 'x')),
  ],
  'a context has no prompt': [
    /context of hand has no prompt: handr2 is withdrawn/,
    (f) => {
      become(f, 'handr2', { is: 'withdrawn' });
      const { state } = f.messages.find(({ id }) => id === 'handr2') as Message;
      delete (state as { turn?: unknown }).turn;
    },
  ],
  'a lock has two owners': [
    /lead took the lock on \/w, which hand held/,
    (f) => {
      tell(f, 'hand', { type: 'lock', step: 'taken', workspace: '/w', reason: 'r', enforced: false });
      tell(f, 'lead', { type: 'lock', step: 'taken', workspace: '/w', reason: 'r', enforced: false });
      tell(f, 'lead', { type: 'lock', step: 'released', workspace: '/w', by: null, how: 'h' });
    },
  ],
  'a lock is given back by another': [
    /lead gave back the lock on \/w, which it did not hold/,
    (f) => tell(f, 'lead', { type: 'lock', step: 'released', workspace: '/w', by: null, how: 'h' }),
  ],
  'one who is gone holds a lock': [
    /hand is gone, and holds the lock on \/w/,
    (f) => drop(f, is('lock', 'released')),
  ],
  'a lock is never given back': [
    /the lock on \/v is lost: lead never gave it back/,
    (f) => tell(f, 'lead', { type: 'lock', step: 'taken', workspace: '/v', reason: 'r', enforced: false }),
  ],
  'something is still owed': [
    /hand still owes: look/,
    (f) => (f.owed as object[]).push({ id: 'x', sessionId: 'hand', effect: { do: 'look' } }),
  ],
  'facts are left in the spool': [/2 facts are left in the spool/, (f) => void (f.spooled = 2)],
  'a session contradicts itself': [
    /hand: what waits for an idle session is attempted/,
    (f) => {
      const [first, { session, ...rest } = {} as never] = f.states;
      f.states = [
        first as never,
        {
          ...rest,
          session: { ...session, clear: { by: { kind: 'person' }, prompt: null, until: 1 } },
        } as never,
      ];
    },
  ],
};

describe('the judge', () => {
  it('has nothing to say when all is well', () => {
    const verdict = judge(wellForged());
    expect(verdict.faults).toEqual([]);
    expect(verdict.states).toEqual({ answered: 9, expired: 1, interrupted: 1, failed: 1 });
  });

  it('finds a text of ours behind a message that ends with an empty line', () => {
    const forged = wellForged();
    log(forged).splice(-3, 3, ...turn('c2', 't4', ['#99999999:\nmore\n\n\n[sm] remember'], 'did 4.'));
    expect(judge(forged).faults).toEqual([]);
  });

  it.each(Object.entries(forgeries))('notices that %s', (_, [says, forge]) => {
    const forged = wellForged();
    forge(forged);
    expect(judge(forged).faults.join('\n')).toMatch(says);
  });
});

describe('the plan of a seed', () => {
  const of = { deeds: { a: { weight: 3 }, b: { weight: 1 } }, faults: { c: { weight: 1 } } };
  const size = { minutes: 5, agents: 4 };

  it('is the same every time, and another for another seed', () => {
    const plan = planOf(7, size, of);
    expect(planOf(7, size, of)).toEqual(plan);
    expect(planOf(8, size, of)).not.toEqual(plan);
    expect(plan.filter(({ is }) => is === 'fault').length).toBeGreaterThan(30);
    const names = plan.map(({ name }) => name);
    expect(names.filter((name) => name === 'a').length).toBeGreaterThan(
      2 * names.filter((name) => name === 'b').length,
    );
  });
});
