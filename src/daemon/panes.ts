// Keeps what is known of processes true to the panes: told when something changed, and asked once at the start.
import type { Bigger, Session, Under } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type Pane, paneName, type Terminal } from '../ports/terminal.ts';
import { lastScreen } from './last-screen.ts';

interface Deps {
  readonly engine: Engine;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly log: Log;
  /** Takes in what the agent has said so far: what it took before it died is not to be typed again. */
  readonly hearOut: (id: string) => Promise<void>;
  /** Which boot of the machine this is. */
  readonly boot: string | null;
  /** Whether the machine is going down just now. */
  readonly isGoingDown: () => Promise<boolean>;
}

/** Compares all sessions that should run with the panes that are there, and tells the engine what differs. */
export async function reconcilePanes(deps: Deps): Promise<void> {
  const { engine, terminal, clock, log, hearOut, boot, isGoingDown } = deps;
  const running = [...engine.all()]
    .map(({ session }) => session)
    .filter((session) => session.process.state === 'running');
  if (running.length === 0) return;
  const panes = await terminal.panes();
  if (panes === null)
    log.error({ sessions: running.length }, 'the tmux server is gone, with the panes of all sessions');
  const byName = new Map(panes?.map((pane) => [pane.name, pane]));
  const isComplete = running.every(({ id }) => byName.has(paneName(id)));
  const present = { boot, tmux: isComplete ? null : await terminal.server() };
  await Promise.all(running.map((session) => compare(session, byName.get(paneName(session.id)))));

  async function compare(session: Session, pane: Pane | undefined): Promise<void> {
    // Asked again, because it may have changed while the panes were listed.
    const process = engine.get(session.id)?.session.process;
    if (process !== session.process || process.state !== 'running') return;
    if (pane && !pane.dead) return;
    await hearOut(session.id);
    const id = `${session.id}.pane.${process.pid}.${process.startedAt}`;
    if (!pane) {
      const bigger = endedWith(process.under, present);
      const why = bigger ? reasons[bigger] : 'its pane is gone';
      await engine.submit(session.id, {
        type: 'fact',
        id,
        at: clock.now(),
        source: 'pane',
        fact: { is: 'process-gone', why, ...(bigger && { with: bigger }) },
      });
      return;
    }
    const [screen, goesDown] = await Promise.all([lastScreen(terminal, pane.name), isGoingDown()]);
    const { exitCode: code, exitSignal: signal } = pane;
    await engine.submit(session.id, {
      type: 'fact',
      id,
      at: clock.now(),
      source: 'pane',
      fact: { is: 'process-exited', code, signal, screen, ...(goesDown && { with: 'machine' }) },
    });
  }
}

const reasons: Readonly<Record<Bigger, string>> = {
  machine: 'the machine was restarted',
  tmux: 'the tmux server is gone',
};

/** What has ended since, and took the process along; undefined: where it ran, everything else goes on. */
export function endedWith(
  under: Under | null,
  present: { readonly boot: string | null; readonly tmux: string | null },
): Bigger | undefined {
  if (under?.boot && present.boot && under.boot !== present.boot) return 'machine';
  const same = present.tmux !== null && (!under || under.tmux === present.tmux);
  return same ? undefined : 'tmux';
}
