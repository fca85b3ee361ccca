// What flows are made of. All of it is safe over deaths of the daemon.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { EventView } from '../../src/protocol/event.ts';
import type { CrashWorld } from './crash-world.ts';
import { is } from './talk.ts';

const byBoss = ({ boss }: CrashWorld, { from }: EventView) => (from as { id?: string }).id === boss;

export function send(world: CrashWorld, text: string, mode = 'sequential'): Promise<void> {
  const body = { text, sender_session_id: world.boss, delivery_mode: mode };
  return world.ask(
    `/sessions/${world.hand}/input`,
    body,
    (event) => event.state === 'queued' && event.mode === mode && byBoss(world, event),
  );
}

/** The hand's work was told to the boss, and the boss has taken it in. */
export const told = (world: CrashWorld): Promise<void> => toldAbout(world, 'turn-end');

export async function toldAbout(world: CrashWorld, about: string): Promise<void> {
  const { notice } = await world.event(world.hand, 'notice-posted', { about });
  await world.event(world.boss, 'message answered', { message: notice });
}

/** The hand works on something that it was told by nobody in particular. */
export async function busy(world: CrashWorld, text: string): Promise<void> {
  await world.daemon.call('POST', `/sessions/${world.hand}/input`, { text });
  await world.event(world.hand, 'turn began');
}

/** A tool that runs until it is released, or its agent is gone; it leaves a mark when it begins. */
export const toolUntil = (go: string): string =>
  `[[bash touch before-${go}; while [ ! -e ${go} ] && kill -0 $PPID; do sleep 0.02; done]]`;

export function toolRuns({ handDir }: CrashWorld, go: string): Promise<void> {
  return until(`the tool that waits for ${go}`, () => existsSync(join(handDir, `before-${go}`)));
}

/** The hand has begun to answer, so that its prompt does not come back when it is cut; its `[[hang]]` says so. */
export async function thinks(world: CrashWorld, prompt: string): Promise<void> {
  const { daemon, hand } = world;
  if ((await daemon.session(hand)).tmux_session)
    await world.screen(hand, (rows) => (rows.split(prompt)[1] ?? '').includes('Let me think'));
  else await until(prompt, () => world.taken(hand).some((text) => text.includes(prompt)));
}

/** Nobody tells of it, so it is looked for. */
async function until(what: string, isThere: () => boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!isThere()) {
    if (Date.now() > deadline) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/**
 * The agent has it for its next step, while it still works on something else. Without a pane nothing shows whether it
 * has a text over which the daemon died: that one may wait for the end of the turn.
 */
export async function given({ surely, daemon, event, hand }: CrashWorld): Promise<void> {
  const { tmux_session: pane } = await surely(() => daemon.session(hand));
  await event(hand, pane ? 'message accepted' : ['message accepted', 'session adopted']);
}

/** Allows from afar what the hand asks; and at its pane, if the daemon's death has left the dialog to the human. */
export async function allow({ surely, daemon, hand, screen }: CrashWorld): Promise<void> {
  const { status } = await surely(() =>
    daemon.call('POST', `/sessions/${hand}/answer`, { decision: 'allow' }),
  );
  if (status === 200) return;
  // The agent may have the answer, and its dialog be about to go: Enter says yes to it, and nothing to a composer.
  await daemon.tmux('send-keys', '-t', `=sm-${hand}:`, 'Enter');
  await screen(hand, (rows) => !rows.includes('Do you want to proceed?'));
}

/** Clears, and waits until the first prompt of the new context is answered and told: a second clear would show by then. */
export async function clear(world: CrashWorld, prompt: string): Promise<void> {
  await world.ask(
    `/sessions/${world.hand}/clear`,
    { prompt, requester_session_id: world.boss },
    is('clear asked'),
  );
  await world.event(world.hand, 'clear done');
  await told(world);
  const began = (await world.events(world.hand)).filter(is('context began'));
  expect(began, 'contexts that one clear began').toHaveLength(1);
}
