// The channels that have stopped working, in a few words, the same on every face.
/** `phone and team cannot tell you anything`; null: all is well. */
export function brokenChannels(broken: readonly string[]): string | null {
  const names = [...broken];
  const last = names.pop();
  if (last === undefined) return null;
  return `${names.length > 0 ? `${names.join(', ')} and ` : ''}${last} cannot tell you anything`;
}
