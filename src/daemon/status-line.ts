// Keeps the status line of attached terminals up to date: how many sessions are in which phase, and who waits longest.
import { isStandingStill } from '../domain/core/limits.ts';
import { questionId } from '../domain/core/parts.ts';
import { displayName, phaseOf, type Session } from '../domain/core/session.ts';
import { unrecognisedSince } from '../domain/life/recognition.ts';
import type { Engine } from '../engine/engine.ts';
import { counts } from '../faces/signs.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { paneName, type Terminal } from '../ports/terminal.ts';

interface Deps {
  readonly engine: Engine;
  readonly terminal: Terminal;
  readonly clock: Clock;
  readonly log: Log;
}

/** What happens at once is shown at once, not one by one. */
const pause = 200;

/** What the line shows of a session. */
const seenOf = (session: Session) => ({
  phase: phaseOf(session),
  screen_unrecognised_since: unrecognisedSince(session) === null ? null : 'some time ago',
  title: displayName(session),
  question: session.question && questionId(session.question),
  limit: isStandingStill(session),
  waitsSince: session.question?.since ?? null,
});

export function keepStatusLine({ engine, terminal, clock, log }: Deps): { stop(): void } {
  const shown = new Map<string, ReturnType<typeof seenOf>>();
  const titles = new Map<string, string>();
  let timer: { cancel(): void } | null = null;

  function take(session: Session): void {
    const before = shown.get(session.id);
    const now = engine.get(session.id) && seenOf(session);
    // Nearly every commit changes nothing that the line shows.
    if (JSON.stringify(before) === JSON.stringify(now)) return;
    if (now) shown.set(session.id, now);
    else shown.delete(session.id);
    if (now && now.phase !== 'starting') titles.set(paneName(session.id), now.title);
    timer ??= clock.timer(pause, tell);
  }

  function tell(): void {
    timer = null;
    const [longest] = [...shown]
      .flatMap(([id, { waitsSince }]) => (waitsSince === null ? [] : [{ id, waitsSince }]))
      .sort((one, other) => one.waitsSince - other.waitsSince);
    const line = counts(shown.values()).map(({ sign, count }) => `${count}${sign.glyph}`);
    const status = {
      counts: line.join(' '),
      next: longest ? paneName(longest.id) : null,
      titles: new Map(titles),
    };
    titles.clear();
    terminal
      .showStatus(status)
      .catch((error: unknown) => log.debug({ error: String(error) }, 'the status line is not up to date'));
  }

  for (const { session } of engine.all()) take(session);
  const off = engine.onCommit(take);
  return {
    stop() {
      off();
      timer?.cancel();
    },
  };
}
