// A history in which everything is well, to be forged: two sessions, messages, notices, a reminder, a one-shot, a handoff,
// a wait and a lock.
import type { EventBody } from '../../src/domain/core/event.ts';
import { type Message, type MessageState, quietly } from '../../src/domain/core/message.ts';
import type { Sender } from '../../src/domain/core/names.ts';
import type { State } from '../../src/domain/core/session.ts';
import { softReminder } from '../../src/domain/notices/wording.ts';
import { idleSession } from '../support/session.ts';
import type { Entry } from './agent-log.ts';
import type { Asked, Told } from './history.ts';

export interface Forged {
  asked: Asked[];
  messages: Message[];
  events: Told[];
  states: State[];
  owed: [];
  logs: Map<string, Entry[]>;
  spooled: number;
}

const lead: Sender = { kind: 'session', id: 'lead', name: 'lead' };
const sm: Sender = { kind: 'sm' };
export const evidence = { source: 'hook', id: 'f1', at: 0 } as const;

export function wellForged(): Forged {
  let order = 0;
  let at = 1_000_000;
  const messages: Message[] = [];
  const events: Told[] = [];

  function tell(session: string, body: EventBody): void {
    at += 1_000;
    events.push({ number: events.length + 1, session, at, body });
  }
  function message(
    id: string,
    to: string,
    from: Sender,
    text: string,
    state: object,
    more: object = {},
  ): void {
    order += 1;
    const isOver = { at, ...state } as unknown as MessageState;
    const headed = from.kind !== 'sm';
    const base = {
      shown: null,
      mode: 'sequential',
      notify: quietly,
      remind: null,
      evenCompacting: false,
    } as const;
    messages.push({ id, to, from, text, headed, createdAt: at, order, state: isOver, ...base, ...more });
  }
  const answered = (turn: string) => ({ is: 'answered', turn });
  const posted = (about: string, of: string | null, notice: string, text: string, turn: string) => {
    tell('hand', { type: 'notice-posted', message: of, to: 'lead', about, notice });
    message(notice, 'lead', sm, text, answered(turn));
  };
  const wantsEnd = { notify: { ...quietly, turnEnd: true } };

  message('aaaaaaaa', 'hand', { kind: 'person' }, 'do 1. please', answered('t1'));
  message('bbbbbbbb', 'hand', lead, 'do 2. please', answered('t2'), wantsEnd);
  posted('turn-end', 'bbbbbbbb', 'handn1', '[sm] hand stopped:\ndid 2.', 'u1');
  message('dddddddd', 'hand', lead, 'do 4. please', answered('t2'));
  message('cccccccc', 'hand', lead, 'do 3. please', { is: 'expired', why: 'it expired' });
  posted('failed', 'cccccccc', 'handn2', '[sm] Your message #cccccccc did not reach hand', 'u2');
  message('eeeeeeee', 'hand', { kind: 'person' }, 'do 5. please', {
    is: 'interrupted',
    turn: 't5',
    why: 'by a human',
  });
  message('ffffffff', 'hand', { kind: 'person' }, 'do 6. please', {
    is: 'failed',
    turn: 't6',
    why: 'overloaded',
  });

  tell('hand', { type: 'reminder', step: 'started', soft: 1, hard: 9 });
  tell('hand', { type: 'reminder', step: 'sent', kind: 'soft', message: 'handr1' });
  tell('hand', { type: 'message', message: 'handr1', state: 'typed', attempt: 'a1' });
  message('handr1', 'hand', sm, softReminder, answered('t2'), { mode: 'important' });
  tell('hand', { type: 'reminder', step: 'ended', why: 'the turn ended' });

  tell('hand', { type: 'one-shot', step: 'set', reminder: 'o1', due: at + 2_000, every: null });
  tell('hand', { type: 'one-shot', step: 'sent', reminder: 'o1', message: 'handr3' });
  message('handr3', 'hand', sm, '[sm] remember', answered('t4'));

  tell('hand', { type: 'handoff', step: 'cleared', message: 'handr2' });
  message('handr2', 'hand', sm, 'Read /notes.md and continue from where you left off.', answered('t3'));
  tell('hand', { type: 'handoff', step: 'done', path: '/notes.md', context: 2 });

  tell('hand', { type: 'watched', watch: 'w1', by: 'lead', seconds: 9 });
  posted('watch', null, 'handn3', '[sm] hand (hand) is idle.', 'u3');

  tell('hand', { type: 'lock', step: 'taken', workspace: '/w', reason: 'work', enforced: false });
  tell('hand', { type: 'lock', step: 'released', workspace: '/w', by: null, how: 'exited' });
  tell('hand', { type: 'session', step: 'lost', reason: 'gone' });

  const logs = new Map([
    [
      'hand',
      [
        ...turn('c1', 't1', ['[sm] from the user #aaaaaaaa:\ndo 1. please'], 'did 1.'),
        ...turn(
          'c1',
          't2',
          [
            '[sm] from lead (lead) #bbbbbbbb:\ndo 2.\n\n[sm] from lead (lead) #dddddddd:\ndo 4.',
            softReminder,
          ],
          'did 2.',
        ),
        ...turn('c1', 't5', ['[sm] from the user #eeeeeeee:\ndo 5. please'], 'well', 'interrupted'),
        ...turn('c1', 't6', ['[sm] from the user #ffffffff:\ndo 6. please'], 'API Error', 'failed'),
        ...turn('c2', 't3', ['Read /notes.md and continue from where you left off.'], 'did 3.'),
        ...turn('c2', 't4', ['[sm] remember'], 'did 4.'),
      ],
    ],
    [
      'lead',
      [
        ...turn('l1', 'u1', ['[sm] hand stopped:\ndid 2.'], 'well'),
        ...turn('l1', 'u2', ['[sm] Your message #cccccccc did not reach hand'], 'well'),
        ...turn('l1', 'u3', ['[sm] hand (hand) is idle.'], 'well'),
      ],
    ],
  ]);
  const states = ['lead', 'hand'].map((id) => idleSession({ id }).state);
  const asked: Asked[] = [{ words: 'do 1.', to: 'hand', answer: 'ok' }];
  return { asked, messages, events, states, owed: [], logs, spooled: 0 };
}

export function turn(
  conversation: string,
  id: string,
  [first = '', ...absorbed]: string[],
  said: string,
  end: 'stopped' | 'failed' | 'interrupted' = 'stopped',
): Entry[] {
  return [
    { conversation, is: 'prompt', turn: id, text: first },
    ...absorbed.map((text) => ({ conversation, is: 'absorbed', text }) as const),
    { conversation, is: 'said', text: said, last: end === 'stopped' },
    { conversation, is: end },
  ];
}
