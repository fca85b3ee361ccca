// The human at the panes: writes, thinks better of it, cuts, clears, scrolls and answers.
import type { Dice } from '../fuzz/dice.ts';
import type { Deed, Deeds } from './life.ts';
import type { Stage } from './stage.ts';

const at = (weight: number, deed: Deed) => ({ weight, do: deed });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Keys that come closer together are one burst, as of a paste. */
const typingMs = 60;

export const humanDeeds: Deeds = {
  'human writes': at(6, write),
  'human presses Escape': at(4, (stage, d) => stage.press(d.pick(stage.team), 'Escape')),
  'human clears': at(1, (stage, d) => command(stage, d, '/clear')),
  'human compacts': at(1, (stage, d) => command(stage, d, '/compact')),
  'human scrolls': at(2, scroll),
  'human answers': at(4, answer),
};

/** A line that he sends, deletes, or leaves for a moment. */
async function write(stage: Stage, d: Dice, number: number): Promise<void> {
  const id = d.pick(stage.team);
  await stage.press(id, '-l', `human ${number}`);
  await pause(typingMs + d.below(800));
  await stage.press(id, d.once(2) ? 'Enter' : 'C-u');
}

async function command(stage: Stage, d: Dice, text: string): Promise<void> {
  const id = d.pick(stage.team);
  await stage.press(id, '-l', text);
  await pause(typingMs);
  await stage.press(id, 'Enter');
}

async function scroll(stage: Stage, d: Dice): Promise<void> {
  const target = `=sm-${d.pick(stage.team)}:`;
  const tmux = (...args: string[]) => stage.daemon.tmux(...args).catch(() => '');
  await tmux('copy-mode', '-t', target);
  await pause(d.below(1_500));
  await tmux('send-keys', '-t', target, '-X', 'cancel');
}

async function answer(stage: Stage, d: Dice): Promise<void> {
  for (const id of stage.team) {
    const { question } = await stage.session(id);
    if (question && d.once(2)) await stage.press(id, d.pick(['1', '3', 'Escape']));
  }
}
