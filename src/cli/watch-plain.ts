// All that changes, one line each: for screen readers, and for people who keep a log.
import type { Client } from '../client/client.ts';
import { brokenChannels } from '../faces/channels.ts';
import { signOf } from '../faces/signs.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Io } from './io.ts';
import { oneLine } from './text/safe.ts';
import { doing, nameAndId } from './text/session.ts';
import { clock } from './text/time.ts';

export async function plainLines(io: Io, client: Client): Promise<number> {
  const known = new Map<string, string>();
  const say = (text: string) => io.out(`${clock(io.now(), io.now())}  ${text}\n`);
  const tell = (session: SessionView) => {
    const line = lineOf(session, io.now());
    if (known.get(session.id) === line) return;
    known.set(session.id, line);
    say(line);
  };
  let broken: string | null = null;
  const channels = (names: readonly string[]) => {
    const text = brokenChannels(names);
    if (text === broken) return;
    broken = text;
    say(text === null ? 'Every channel can tell you again.' : `${text}: sm notify`);
  };
  for await (const item of client.stream({ views: true })) {
    if (item.is === 'away') say('The daemon does not answer. What was said last may be out of date.');
    if (item.is === 'connected') {
      const sessions = item.sessions ?? [];
      if (sessions.length === 0 && known.size === 0) say('No sessions.');
      for (const session of sessions) tell(session);
      channels(item.broken_channels ?? []);
    }
    if (item.is === 'session') tell(item.session);
    if (item.is === 'channels') channels(item.broken);
  }
  return 0;
}

/** What may change by itself, such as an age, is not in it. */
function lineOf(session: SessionView, now: number): string {
  const what =
    session.agent_status_text === null ? doing(session, now) : `"${oneLine(session.agent_status_text)}"`;
  const said = session.question || session.ended ? doing(session, now) : what;
  // A task that is set for one that has ended is for the time when it is restored.
  const task = session.ended && session.current_task ? `; task: ${oneLine(session.current_task)}` : '';
  return `${nameAndId(session)} ${signOf(session).word}${said === '' ? '' : `: ${said}`}${task}`;
}
