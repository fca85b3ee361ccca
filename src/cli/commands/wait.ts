// A session gets a notice later and goes on; a person's shell blocks.
import type { SessionView } from '../../protocol/session.ts';
import { numberWithin } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { follow } from '../events.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { type Io, ownSessionId } from '../io.ts';
import { whyItWaits } from '../text/message.ts';
import { isLive, nameAndId, notRecognised, waitingMessages, whyItEnded } from '../text/session.ts';

export default defineCommand({
  usage: 'SESSION SECONDS',
  about:
    'Inside a session: returns at once; you get a notice when SESSION is idle, exited or lost, or after SECONDS. In a\n' +
    'shell: waits for that. Exits with 0 when the session is idle, else with 1.',
  options: {},
  async run({ args: [ref = '', time], io, client }) {
    const seconds = numberWithin('SECONDS', time, [0, 365 * 24 * 3600]) ?? 0;
    const session = await presentSession(client, ref);
    const self = ownSessionId(io);
    return self === undefined
      ? block(io, client, session, seconds)
      : watch(io, client, session, seconds, self);
  },
});

async function watch(io: Io, client: Client, session: SessionView, seconds: number, self: string) {
  const query = { watcher_session_id: self, timeout_seconds: seconds };
  await client.ask('POST /sessions/{ref}/watch', { ref: session.id, query });
  io.out(
    `Watching ${nameAndId(session)}: you get a notice when it is idle, exited or lost, or after ${seconds} s.\n`,
  );
}

async function block(io: Io, client: Client, found: SessionView, seconds: number): Promise<void> {
  const end = io.now() + seconds * 1000;
  const { id } = found;
  let session = found;
  if (isOver(session)) return tell(io, session);
  const wanted = { session: id, views: true };
  for await (const item of follow(client, wanted, () => (end - io.now()) / 1000)) {
    if (item.is !== 'session' && item.is !== 'connected') continue;
    const now = item.is === 'session' ? item.session : item.sessions?.[0];
    // The stream leaves out a session that was killed meanwhile.
    session = now ?? (await client.ask('GET /sessions/{ref}', { ref: id }, { start: false }));
    if (isOver(session)) return tell(io, session);
  }
  const why = session.phase === 'idle' ? 'a message is on its way to it' : whyItWaits(session);
  throw new Failure(`${nameAndId(session)} is not idle after ${seconds} s: ${why}`);
}

/** One that is about to take a message is not done: whoever has just sent it waits for what comes of it. */
function isOver(session: SessionView): boolean {
  if (!isLive(session)) return true;
  const { count, held } = session.waiting;
  return isHeld(session) || (session.phase === 'idle' && (count === 0 || held !== null));
}

/** By a budget: nothing comes of waiting until somebody raises it. */
const isHeld = ({ phase, question, budget }: SessionView): boolean =>
  phase === 'blocked' && question === null && Boolean(budget?.hold);

function tell(io: Io, session: SessionView): void {
  if (!isLive(session)) throw new Failure(whyItEnded(session));
  if (isHeld(session)) throw new Failure(`${nameAndId(session)} is held: ${session.budget?.hold?.why}`);
  const more = [notRecognised(session), waitingMessages(session)].filter(Boolean).join('; ');
  io.out(`${nameAndId(session)} is idle${more && ` (${more})`}\n`);
}
