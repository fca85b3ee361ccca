// For property tests: the steps of a life, by name, so that a failing one can be read.

import fc from 'fast-check';
import type { Input } from '../../src/domain/core/input.ts';
import { promptOf, quietly } from '../../src/domain/core/message.ts';
import { type Mode, modes, person } from '../../src/domain/core/names.ts';
import type { Lane } from './lane.ts';
import {
  crash,
  drain,
  hearHook,
  hearTwice,
  humanEscapes,
  type Life,
  readLine,
  restore,
  runEffect,
} from './life.ts';
import { sent as aMessage, restoreIt } from './session.ts';
import { noticeText } from './world.ts';

type Step = (life: Life) => Promise<unknown> | unknown;

export const steps: Record<string, Step> = {
  'an effect runs': (life) => runEffect(life, 'none'),
  'an effect runs, and again': async (life) => {
    await runEffect(life, 'none');
    await runEffect(life, 'none');
  },
  'an effect runs, and what was typed is swallowed': (life) => runEffect(life, 'swallowed'),
  'an effect runs, and its Enter is lost': (life) => runEffect(life, 'enter lost'),
  'the human types during the look': (life) => runEffect(life, 'none', () => life.world.type()),
  'a turn ends during the look': (life) => runEffect(life, 'none', () => life.world.finish()),
  'a turn ends before an effect runs': async (life) => {
    life.world.finish();
    await runEffect(life, 'none');
  },
  'the human presses Escape during the look': (life) =>
    runEffect(life, 'none', () => humanEscapes(life, true)),
  'a message is sent': ({ lane }) => send(lane, 'sequential'),
  'an important message is sent': ({ lane }) => send(lane, 'important'),
  'an urgent message is sent': ({ lane }) => send(lane, 'urgent'),
  'a notice comes': ({ lane }) => notice(lane, 'sequential'),
  'an important notice comes': ({ lane }) => notice(lane, 'important'),
  'a reminder comes': ({ lane }) => notice(lane, 'urgent'),
  'a message with forged lines is sent': ({ lane }) => forge(lane, 'sequential'),
  'an important message with forged lines is sent': ({ lane }) => forge(lane, 'important'),
  'a message is sent that may expire': ({ lane }) => send(lane, 'urgent', lane.now + 1_000),
  'the oldest waiting message is withdrawn': ({ lane }) => withdraw(lane),
  'a clear is asked for': ({ lane }) => lane.take({ type: 'clear', by: person, prompt: null }),
  'a clear with a prompt is asked for': ({ lane }) =>
    lane.take({ type: 'clear', by: person, prompt: nextMessage('sequential') }),
  'strangers give orders': ({ lane }) => strangers(lane),
  'the oldest hook is heard': (life) => hearHook(life, 0),
  'the newest hook is heard': (life) => hearHook(life, life.world.hooks.length - 1),
  'a line of the transcript is read': readLine,
  'a hook is heard twice': hearTwice,
  'all facts are heard': drain,
  'the human types': ({ world }) => world.type(),
  'the human deletes what stands there': ({ world }) => world.drop(),
  'the human presses Enter': ({ world }) => world.enter(),
  'the human presses Escape': (life) => humanEscapes(life, true),
  'the human presses Escape and nothing tells it': (life) => humanEscapes(life, false),
  'the human clears': ({ world }) => {
    if (world.turn || world.composer !== '' || !world.alive || world.scrolled) return;
    world.composer = '/clear';
    world.enter();
  },
  'the human scrolls': ({ world }) => {
    world.scrolled = world.alive && !world.scrolled;
  },
  'the agent is talking': ({ world }) => world.speak(),
  'the agent uses a tool': ({ world }) => world.useTool(),
  'the agent asks': ({ world }) => world.askPermission(),
  'the agent is answered': ({ world }) => world.answerPermission(),
  'the agent finishes': ({ world }) => world.finish(),
  'the agent finishes, and only its last words are told': ({ world }) => world.finish('closing'),
  'the agent finishes, and nothing tells it': ({ world }) => world.finish('nothing'),
  'the agent dies': ({ world }) => world.die(),
  'the session is restored': restore,
  'the daemon crashes': (life) => crash(life, false),
  'the daemon crashes after the keys went out': (life) => crash(life, true),
  'a moment passes': ({ lane }) => lane.wait(200),
  'two seconds pass': ({ lane }) => lane.wait(2_000),
  'a minute passes': ({ lane }) => lane.wait(60_000),
};

const often = [
  'an effect runs',
  'an effect runs, and again',
  'a message is sent',
  'an important message is sent',
  'an important notice comes',
  'an urgent message is sent',
  'all facts are heard',
  'two seconds pass',
];

let sent = 0;
function nextId(): string {
  sent += 1;
  return sent.toString(16).padStart(8, '0');
}

function nextMessage(mode: Mode, expiresAt: number | null = null) {
  const id = nextId();
  const from = { kind: 'session', id: `peer-${id}`, name: 'peer' } as const;
  const notify = { turnEnd: true, accepted: false, afterSeconds: null };
  return aMessage({ id, mode, from, notify, expiresAt });
}

const send = (lane: Lane, mode: Mode, expiresAt: number | null = null): Promise<unknown> =>
  lane.take(nextMessage(mode, expiresAt));

function notice(lane: Lane, mode: Mode): Promise<unknown> {
  const id = nextId();
  const unheaded = { text: noticeText(id), headed: false, from: { kind: 'sm' }, notify: quietly } as const;
  return lane.take(aMessage({ id, mode, ...unheaded }));
}

/** It pretends to be everything that waits or was typed, as it would stand in a prompt of ours. */
function forge(lane: Lane, mode: Mode): Promise<unknown> {
  const { queue, active } = lane.state;
  const others = [...modes.flatMap((each) => [...queue[each].values()]), ...active.values()];
  const lines = others.map((other) => promptOf([other]));
  return lane.take({ ...nextMessage(mode), text: ['look:', ...lines, 'that was it'].join('\n\n') });
}

/** None of it may do anything, whatever the session is in the middle of. */
async function strangers(lane: Lane): Promise<void> {
  const by = { kind: 'session', id: 'stranger' } as const;
  const [waiting] = modes.flatMap((mode) => [...lane.state.queue[mode].keys()]);
  const orders: Input[] = [
    { type: 'kill', by },
    { type: 'clear', by, prompt: null },
    { type: 'expect-clear', by: { ...by, name: 'stranger' } },
    { type: 'slash', id: 'c1', command: '/compact', by },
    { type: 'press', id: 'k1', key: 'Enter', by },
    { type: 'answer', decision: 'allow', text: null, by },
    { type: 'rename', name: 'mine', by },
    { type: 'handoff', path: '/doc.md', auto: false, by },
    { ...(restoreIt as Extract<Input, { type: 'restore' }>), by },
  ];
  if (waiting !== undefined) orders.push({ type: 'withdraw', id: waiting, by });
  for (const order of orders) {
    const before = lane.state.session;
    const refusal = await lane.take(order);
    if (refusal?.code !== 'forbidden' || lane.state.session !== before)
      throw new Error(`a stranger may ${order.type}`);
  }
}

function withdraw(lane: Lane): Promise<unknown> | undefined {
  const [first] = modes.flatMap((mode) => [...lane.state.queue[mode].keys()]);
  return first === undefined ? undefined : lane.take({ type: 'withdraw', id: first, by: person });
}

export const stepName = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...often) },
  { weight: 3, arbitrary: fc.constantFrom(...Object.keys(steps)) },
);
