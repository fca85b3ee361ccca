// A flow: something that is asked of the daemon, and what the agents must have of it, wherever it died on the way.
import type { CrashWorld } from './crash-world.ts';

export interface Flow {
  /** What must be the case before anything is asked for. */
  readonly before?: (world: CrashWorld, mark: string) => Promise<void>;
  /** Asks, and waits until it is answered. Whatever it does may be cut by a death of the daemon. */
  readonly run: (world: CrashWorld, mark: string) => Promise<void>;
  /** How often each agent must have what; all of it is marked as of this case. */
  readonly hand: (mark: string) => Record<string, number>;
  readonly boss: (mark: string) => Record<string, number>;
  /** Points that the flow must pass, of whichever agent; otherwise it proves nothing. */
  readonly passes: readonly string[];
  /** Which part of it is this flow's matter; what comes before or after is another's. */
  readonly from?: string;
  readonly until?: string;
}

/** Without whose it is and the how-manieth time: `commit:after`. */
export const kindOf = (point: string): string => point.split(/[@#]/, 1)[0] as string;

/** The times that each point is passed are told apart: `commit:after@hand#3`. */
export function pointsOf({ from, until }: Flow, passed: readonly string[]): string[] {
  const times = new Map<string, number>();
  const all = passed.map((point) => {
    const time = (times.get(point) ?? 0) + 1;
    times.set(point, time);
    return `${point}#${time}`;
  });
  const at = (point: string) => {
    if (!all.includes(point)) throw new Error(`${point} is not passed, but ${all}`);
    return all.indexOf(point);
  };
  return partOf(all.slice(from ? at(from) : 0, until ? at(until) : all.length));
}

/** How many points of a flow are played where nobody has the time for all of them; others each time. */
const most = Number(process.env.FAULTS_POINTS ?? Number.POSITIVE_INFINITY);

function partOf(points: readonly string[]): string[] {
  const left = [...points];
  while (left.length > most) left.splice(Math.floor(Math.random() * left.length), 1);
  return left;
}

/**
 * The kinds of points at which the daemon must have died. How often a point is passed is up to the machine, because
 * facts that come together are stored together; of a part of them only the first time is certain.
 */
export function certainKinds(points: readonly string[]): Set<string> {
  const certain = Number.isFinite(most) ? points.filter((point) => point.endsWith('#1')) : points;
  return new Set(certain.map(kindOf));
}

export async function play(world: CrashWorld, flow: Flow, mark: string, point: string | null) {
  if (flow.before) {
    await world.begin(null);
    await flow.before(world, mark);
  }
  await world.begin(point);
  await flow.run(world, mark);
  return world.end();
}
