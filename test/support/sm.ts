// `sm` against a stand-in for the daemon that ends with the test.
import { afterEach } from 'vitest';
import { type Answers, type StandIn, standInDaemon } from './stand-in-daemon.ts';

export type IoChanges = Parameters<StandIn['sm']>[1];

/** The one that the last `sm` of the test spoke to. */
export let daemon: StandIn;
afterEach(() => daemon?.close());

/** Has a daemon of its own; to ask the same one again there is `daemon.sm`. */
export async function sm(answers: Answers, argv: readonly string[], changes?: IoChanges) {
  await daemon?.close();
  daemon = await standInDaemon(answers);
  const { code, io } = await daemon.sm(argv, changes);
  return { code, ...io.printed, ran: io.ran, calls: daemon.calls };
}
