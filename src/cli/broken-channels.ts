// Tells a person who looks at a list that a channel has stopped working.
import { brokenChannels } from '../faces/channels.ts';
import type { Client } from './daemon/client.ts';
import type { Io } from './io.ts';
import { oneLine } from './text/safe.ts';

export async function tellBrokenChannels(io: Io, client: Client): Promise<void> {
  if (!io.outputIsTerminal) return;
  // The list is what was asked for.
  const answer = await client.ask('GET /notifications/channels').catch(() => null);
  const text =
    answer &&
    brokenChannels(answer.channels.filter(({ problem }) => problem !== null).map(({ name }) => name));
  if (text) io.err(`${oneLine(text)}. See why: sm notify\n`);
}
