// Messages as their senders see them, and what the history says of them.

import { spawnSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { eventsAfter } from './http.mjs';

const firstWordsMs = 300;
const patienceMs = 20_000;

export function send(daemon, to, text, more = {}) {
  return daemon.call('POST', `/sessions/${to}/input`, { text, ...more });
}

/**
 * Milliseconds from the request to the answer that says, on evidence, that the agent has the message; when that takes
 * longer than an answer waits, until the history says so.
 */
export async function timeToAccepted(daemon, to, text, more) {
  const began = performance.now();
  const answer = await send(daemon, to, text, more);
  if (answer.status !== 'delivered')
    await untilEvent(daemon, to, is('message accepted', { message: answer.message_id }));
  return performance.now() - began;
}

/**
 * The yardstick: milliseconds from bare tmux commands, as a careless program would type a text into a pane, until the
 * daemon hears from the agent that it has it. `until`: what it hears.
 */
export async function timeToTyped(daemon, session, text, { keysBefore = [], until = 'turn began' } = {}) {
  const before = await newestEvent(daemon, session.id);
  const target = ['-t', session.tmux_session];
  const commands = [
    ['load-buffer', '-b', 'bench', '-'],
    ...keysBefore.map((key) => ['send-keys', ...target, key]),
    ['paste-buffer', '-p', '-r', '-d', '-b', 'bench', ...target],
    ['send-keys', ...target, 'Enter'],
  ];
  const began = Date.now();
  tmux(daemon, commands, text);
  return timeOf(await untilEvent(daemon, session.id, is(until), before)) - began;
}

export function tmux(daemon, commands, input = '') {
  const list = commands.flatMap((command) => [...command, ';']).slice(0, -1);
  const { status, stdout, stderr } = spawnSync('tmux', ['-S', daemon.tmuxSocket, ...list], {
    input,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`tmux refused ${list.join(' ')}: ${stderr}`);
  return stdout;
}

/** The first event that fits, of those that came after that number. */
export async function untilEvent(daemon, session, fits, after = 0) {
  for await (const event of eventsAfter(daemon.socket, session, after)) if (fits(event)) return event;
  throw new Error(`${session} was not told of to its end`);
}

export async function newestEvent(daemon, session) {
  const { events } = await daemon.call('GET', `/events?session=${session}&last=true&limit=1`);
  return events.at(-1)?.number ?? 0;
}

/** `name`: `message accepted`, `said`. */
export const is = (name, more = {}) => {
  const [type, part] = name.split(' ');
  const wanted = Object.entries({ type, ...more });
  return (event) =>
    (event.state ?? event.step) === part && wanted.every(([key, value]) => event[key] === value);
};

/** Does something that makes the session work, and waits until it is idle again. */
export async function withItsTurn(daemon, session, work) {
  const before = await newestEvent(daemon, session);
  const result = await work();
  await untilEvent(daemon, session, is('turn ended'), before);
  return result;
}

/** Makes the session work, does something that interrupts it, and waits until it is idle again. */
export async function interrupting(daemon, session, work) {
  await keepBusy(daemon, session.id);
  // Until the agent has said its first words, so that there is something to interrupt.
  await delay(firstWordsMs);
  const result = await work();
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await delay(20)) {
    const { phase } = await daemon.call('GET', `/sessions/${session.id}`);
    if (phase === 'idle') return result;
  }
  throw new Error(`${session.id} did not become idle`);
}

/** Makes the session work until it is interrupted or released. */
export async function keepBusy(daemon, session, text = '[[hang]]') {
  const before = await newestEvent(daemon, session);
  await send(daemon, session, text);
  await untilEvent(daemon, session, is('turn began'), before);
}

export const timeOf = (event) => Date.parse(event.at);
