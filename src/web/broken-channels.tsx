// Says which channels of notifications have stopped working; nothing where all is well.
import { brokenChannels } from '../faces/channels.ts';

export function BrokenChannels({ names }: { readonly names: readonly string[] }) {
  const text = brokenChannels(names);
  if (text === null) return null;
  return (
    <p class="away" role="status">
      {text}: sm notify
    </p>
  );
}
