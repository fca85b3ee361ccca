// The driver of agents that live in a pane: it looks at the screen and types, as a human would.
import type { Cursor, Typed } from '../domain/core/effect.ts';
import type { Session } from '../domain/core/session.ts';
import type { Driver } from '../ports/driver.ts';
import type { Provider } from '../ports/provider.ts';
import { paneName, type Terminal, type Typing } from '../ports/terminal.ts';

interface Deps {
  readonly terminal: Terminal;
  readonly provider: (name: string) => Provider | undefined;
  /** Takes in what the agent has said so far. */
  readonly hearOut: (id: string) => Promise<void>;
  /** Gives an answer to the hook that told this fact. */
  readonly answer: (fact: string, answer: string) => Promise<'taken' | 'nobody'>;
}

export function createPaneDriver({ terminal, provider, hearOut, answer }: Deps): Driver {
  const pane = (session: Session) => paneName(session.id);
  const inPane = (session: Session) => {
    const reach = provider(session.provider)?.reach;
    return reach?.by === 'pane' ? reach : null;
  };

  /** What nobody has seen is not typed into. */
  const type = async (session: Session, cursor: Cursor | null, steps: Typing['steps']): Promise<Typed> =>
    cursor ? terminal.type(pane(session), { onlyIf: { cursor }, steps }) : 'changed';

  return {
    async begin() {
      return null;
    },
    async look(session) {
      const kind = inPane(session);
      const screen = await terminal.look(pane(session));
      await hearOut(session.id);
      if (!screen || screen.dead || !kind) return null;
      const { text, ...reading } = kind.read(screen);
      return {
        reading: reading.shows === 'composer' ? reading : { ...reading, text },
        copyMode: screen.copyMode,
        humanActiveAt: screen.humanActiveAt,
        text,
      };
    },
    async submit(session, { text, stash, erase, cursor }) {
      const asTyped = inPane(session)?.typed ?? ((given: string) => given);
      const keys = provider(session.provider)?.keys;
      const before = [
        // A row takes one to empty it and one to join it with the row above.
        ...Array.from({ length: 2 * erase }, () => keys?.erase),
        ...(stash ? [keys?.stash] : []),
      ];
      // A draft that no key puts away stays as it is.
      if (!before.every((key) => key !== undefined)) return 'changed';
      const paste = text === null ? [] : [{ paste: asTyped(text) }];
      return type(session, cursor, [...before.map((key) => ({ key })), ...paste, { key: 'Enter' }]);
    },
    escape: (session, { cursor }) =>
      type(session, cursor, [{ key: provider(session.provider)?.keys?.interrupt ?? 'Escape' }]),
    answersAgain: false,
    async answer(session, effect) {
      const text = provider(session.provider)?.hookAnswer(effect);
      return text ? answer(effect.fact, text) : 'nobody';
    },
    press: (session, key) => terminal.type(pane(session), { onlyIf: 'always', steps: [{ key }] }),
    leaveCopyMode: (session) => terminal.leaveCopyMode(pane(session)),
  };
}
