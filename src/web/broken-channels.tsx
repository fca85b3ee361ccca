// Says which channels of notifications have stopped working; nothing where all is well.
import { useEffect, useState } from 'preact/hooks';
import { askedEvery, brokenChannels } from '../faces/channels.ts';
import type { Deeds } from './deeds.ts';

export function BrokenChannels({ deeds }: { readonly deeds: Deeds }) {
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      deeds.client.ask('GET /notifications/channels').then(
        ({ channels }) => setText(brokenChannels(channels)),
        // The daemon is away, or older: the stream tells.
        () => {},
      );
    };
    look();
    const timer = setInterval(look, askedEvery);
    return () => clearInterval(timer);
  }, []);
  if (text === null) return null;
  return (
    <p class="away" role="status">
      {text}: sm notify
    </p>
  );
}
