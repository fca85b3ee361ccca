// Which channels do not work: looked at when something may have changed, so that whoever wants to know is told and does
// not have to ask.
import type { BrokenChannels, ChannelState } from '../ports/notifications.ts';

export interface Broken extends BrokenChannels {
  /** Something may have changed. */
  look(): Promise<void>;
}

export function createBroken(states: () => Promise<readonly ChannelState[]>): Broken {
  const listeners = new Set<() => void>();
  let names: readonly string[] = [];
  /** One look after the other, so that the last one has the last word. */
  let looking = Promise.resolve();

  async function lookNow(): Promise<void> {
    const found = (await states()).filter(({ problem }) => problem !== null).map(({ name }) => name);
    if (found.join('\n') === names.join('\n')) return;
    names = found;
    for (const heard of listeners) heard();
  }

  return {
    names: () => names,
    onChange(heard) {
      listeners.add(heard);
      return () => void listeners.delete(heard);
    },
    // What cannot be found out now leaves what is known.
    look: () => (looking = looking.then(lookNow).catch(() => {})),
  };
}
