// The channels that have stopped working, in a few words, the same on every face.
import type { ChannelView } from '../protocol/notification.ts';

/** How often a face that stays open asks. */
export const askedEvery = 60_000;

/** `phone and team cannot tell you anything`; null: all is well. */
export function brokenChannels(channels: readonly Pick<ChannelView, 'name' | 'problem'>[]): string | null {
  const names = channels.filter(({ problem }) => problem !== null).map(({ name }) => name);
  const last = names.pop();
  if (last === undefined) return null;
  return `${names.length > 0 ? `${names.join(', ')} and ` : ''}${last} cannot tell you anything`;
}
