// What the cases of a provider stand on: a daemon that runs its agents, and what a human does at their panes.
import type { SessionView } from '../../../src/protocol/session.ts';
import { startTestDaemon, type TestDaemon } from '../../support/daemon.ts';
import { is, startWith } from '../../support/talk.ts';
import type { ProviderUnderTest, Setup } from './suite.ts';

export interface Stage {
  readonly daemon: TestDaemon;
  readonly setup: Setup;
  /** Where the agents work. */
  readonly folder: string;
  /** A session with its first prompt, once it has been launched. */
  start(prompt: string): Promise<string>;
  press(id: string, key: string): Promise<unknown>;
  /** Types into the pane, without Enter. */
  type(id: string, text: string): Promise<unknown>;
  /** No human presses Enter as soon after a paste as Gemini CLI takes it for a part of the paste: 40 ms. */
  afterPaste(): Promise<unknown>;
  /** Waits until nothing turns in the title: so a human sees that a turn is over. */
  atRest(id: string): Promise<unknown>;
  /** Waits for something on the screen: nobody tells of it, so it is looked for. */
  screen(id: string, fits: (rows: string) => boolean): Promise<string>;
  /** A composer that takes text; with a draft, one that has exactly this in it. */
  composer(id: string, draft?: string): Promise<unknown>;
  /** Ends all that run. */
  tidy(): Promise<void>;
  close(): Promise<void>;
}

export const pane = (id: string) => `=sm-${id}:`;

/** The setup is closed with it. */
export async function openStage(provider: ProviderUnderTest): Promise<Stage> {
  const setup = await provider.setup();
  try {
    const stage = await stageOn(provider, setup);
    return {
      ...stage,
      async close() {
        await stage.close();
        await setup.dispose?.();
      },
    };
  } catch (error) {
    await setup.dispose?.();
    throw error;
  }
}

/** One on a setup that is somebody else's. */
export async function stageOn(provider: ProviderUnderTest, setup: Setup): Promise<Stage> {
  const daemon = await startTestDaemon(setup.config ? { config: setup.config } : {});
  const folder = setup.workingDir ?? daemon.work;

  async function untilShown(look: () => Promise<string>, fits: (shown: string) => boolean): Promise<string> {
    const deadline = Date.now() + 60_000;
    for (;;) {
      const shown = await look();
      if (fits(shown)) return shown;
      if (Date.now() > deadline) throw new Error(`the pane never showed what was waited for:\n${shown}`);
    }
  }
  const screen: Stage['screen'] = (id, fits) =>
    untilShown(() => daemon.tmux('capture-pane', '-p', '-t', pane(id)), fits);
  const title = (id: string) => daemon.tmux('display-message', '-p', '-t', pane(id), '#{pane_title}');

  return {
    daemon,
    setup,
    folder,
    async start(prompt) {
      const id = await startWith(daemon, prompt, {
        provider: provider.name,
        working_dir: folder,
        ...(setup.agentEnv && { env: setup.agentEnv }),
      });
      await daemon.until(id, is('session launched'));
      return id;
    },
    press: (id, key) => daemon.tmux('send-keys', '-t', pane(id), key),
    type: (id, text) => daemon.tmux('send-keys', '-t', pane(id), '-l', text),
    afterPaste: () => new Promise((resolve) => setTimeout(resolve, 100)),
    atRest: (id) =>
      untilShown(
        () => title(id),
        (shown) => !/^[⠀-⣿]/.test(shown),
      ),
    screen,
    composer: (id, draft) => screen(id, (rows) => (provider.terminal?.composer(draft) ?? /./).test(rows)),
    async tidy() {
      const { body } = await daemon.call<{ sessions: SessionView[] }>('GET', '/sessions');
      const running = body.sessions.filter(({ phase }) => phase !== 'exited' && phase !== 'lost');
      for (const { id } of running) await daemon.sm('kill', id);
    },
    close: () => daemon.dispose(),
  };
}
