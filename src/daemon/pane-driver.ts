// The driver of agents that live in a pane: it looks at the screen and types, as a human would.
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

  return {
    async begin() {
      return null;
    },
    async look(session) {
      const kind = provider(session.provider);
      const screen = await terminal.look(pane(session));
      await hearOut(session.id);
      if (!screen || screen.dead || !kind) return null;
      const { text, ...reading } = kind.read(screen);
      return {
        reading: reading.shows === 'composer' ? reading : { ...reading, text },
        canStash: kind.capabilities.stash,
        copyMode: screen.copyMode,
        humanActiveAt: screen.humanActiveAt,
        text,
      };
    },
    submit(session, { text, stash, erase, cursor }) {
      const asTyped = provider(session.provider)?.typed ?? ((given: string) => given);
      const steps: Typing['steps'] = [
        // A row takes one to empty it and one to join it with the row above.
        ...Array.from({ length: 2 * erase }, () => ({ key: 'C-u' as const })),
        ...(stash ? [{ key: 'C-s' as const }] : []),
        ...(text === null ? [] : [{ paste: asTyped(text) }]),
        { key: 'Enter' },
      ];
      return terminal.type(pane(session), { onlyIf: { cursor }, steps });
    },
    escape: (session, { cursor }) =>
      terminal.type(pane(session), { onlyIf: { cursor }, steps: [{ key: 'Escape' }] }),
    answersAgain: false,
    async answer(session, effect) {
      const text = provider(session.provider)?.hookAnswer(effect);
      return text ? answer(effect.fact, text) : 'nobody';
    },
    press: (session, key) => terminal.type(pane(session), { onlyIf: 'always', steps: [{ key }] }),
    leaveCopyMode: (session) => terminal.leaveCopyMode(pane(session)),
  };
}
