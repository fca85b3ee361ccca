// The doors of sessions in sandboxes. Whoever comes through one is that session, whatever it says; its agent can reach no
// other. A door is a folder with a socket: the folder is what the sandbox has, because each daemon makes a new socket.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isAlive, type Session } from '../domain/core/session.ts';
import type { Log } from '../ports/log.ts';
import type { OpenDoor } from '../server/listen.ts';

export interface Boxes {
  /** Where the session's door is, whether it is open or not. */
  folder(id: string): string;
  /** Opens it, or closes it, as the session's state asks for. */
  attend(session: Session): void;
  /** From now on, doors can be opened. */
  open(how: OpenDoor, sessions: Iterable<Session>): Promise<void>;
  close(): Promise<void>;
}

export function createBoxes(doors: string, log: Log): Boxes {
  const doorOf = new Map<string, { readonly isOpen: boolean; readonly work: Promise<Closing> }>();
  let openDoor: OpenDoor | null = null;
  const folder = (id: string) => join(doors, id);

  function attend(session: Session): void {
    const { id, options } = session;
    const wanted = options.sandbox !== null && isAlive(session);
    const { isOpen, work } = doorOf.get(id) ?? { isOpen: false, work: Promise.resolve(null) };
    const how = openDoor;
    if (wanted === isOpen || !how) return;
    // One after another: an old door that is closed late must not take the new one with it.
    const next = work.then((door) => (wanted ? make(id, how) : shut(door)));
    doorOf.set(id, { isOpen: wanted, work: next });
  }

  async function make(id: string, how: OpenDoor): Promise<Closing> {
    mkdirSync(folder(id), { recursive: true, mode: 0o700 });
    return how(id, join(folder(id), 'sm.sock')).catch((error: unknown) => {
      log.error({ session: id, error: String(error) }, 'its agent cannot reach us from its sandbox');
      return null;
    });
  }

  return {
    folder,
    attend,
    async open(how, sessions) {
      openDoor = how;
      for (const session of sessions) attend(session);
      await Promise.all([...doorOf.values()].map(({ work }) => work));
    },
    async close() {
      openDoor = null;
      await Promise.all([...doorOf.values()].map(async ({ work }) => shut(await work)));
      doorOf.clear();
    },
  };
}

type Closing = { close(): Promise<void> } | null;

const shut = async (door: Closing): Promise<null> => {
  await door?.close();
  return null;
};
