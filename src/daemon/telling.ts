// Puts together what tells the outside.
import { homedir } from 'node:os';
import { emptyState } from '../domain/core/change.ts';
import type { Session, State } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import type { PushKeys } from '../notify/push.ts';
import type { Clock } from '../ports/clock.ts';
import type { PushDevices } from '../ports/devices.ts';
import type { Log } from '../ports/log.ts';
import type { Acts, Notifications } from '../ports/notifications.ts';
import type { Store } from '../ports/store.ts';
import type { Trigger, Triggers } from '../ports/triggers.ts';
import type { SessionView } from '../protocol/session.ts';
import { Refused } from '../server/refused.ts';
import { find } from '../server/resolve.ts';
import { fitsSelector } from '../server/selection.ts';
import { eventView } from '../server/view.ts';
import { createPrograms } from '../telling/programs.ts';
import { createTelling, type TellingDeps, type TellingService } from '../telling/telling.ts';
import { processStartTime } from '../terminal/process-identity.ts';
import { createNotifications } from './notify.ts';
import type { NotifyConfig } from './notify-config.ts';

interface Needs {
  readonly triggers: readonly Trigger[];
  readonly notify: NotifyConfig;
  /** Where its secrets may be. */
  readonly secrets: Readonly<Record<string, string>>;
  /** How other devices reach the page. */
  readonly site: string | null;
  readonly acts: Acts;
  /** Of people who look at a session now. */
  terminals(): Promise<readonly string[]>;
  readonly devices: PushDevices;
  pushKeys(): Promise<PushKeys>;
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly view: (state: State) => SessionView;
  readonly env: Readonly<Record<string, string>>;
  readonly crash: NonNullable<TellingDeps['crash']>;
}

export async function tellOutside(needs: Needs): Promise<{
  readonly telling: TellingService;
  readonly triggers: Triggers;
  readonly notifications: Notifications;
}> {
  const { triggers, engine, store, clock, log, view, env, crash } = needs;
  const session = async (id: string) => (engine.get(id) ?? (await store.state(id)))?.session ?? null;
  const means = (selector: string, each: Session) => selects(engine, selector, each);
  const programs = createPrograms({
    triggers,
    clock,
    log,
    home: homedir(),
    env,
    session,
    selects: means,
    views: (event, of) => ({
      event: eventView(event),
      session: of && view(engine.get(of.id) ?? emptyState(of)),
    }),
    processStartTime,
  });
  const {
    channels: notifiers,
    notifications,
    ...senders
  } = await createNotifications({
    config: needs.notify,
    engine,
    store,
    clock,
    env: needs.secrets,
    site: needs.site,
    acts: needs.acts,
    programEnv: env,
    terminals: needs.terminals,
    devices: needs.devices,
    pushKeys: needs.pushKeys,
    log,
    session,
    selects: means,
  });
  const channels = [...(triggers.length > 0 ? [programs.channel] : []), ...notifiers];
  const telling = createTelling({ store, engine, clock, log, channels, crash });
  return {
    telling: {
      async start() {
        await telling.start();
        senders.start();
      },
      async stop() {
        await senders.stop();
        await telling.stop();
      },
    },
    triggers: programs.triggers,
    notifications,
  };
}

/** Of a selector that names a session which is not there, nobody is meant. */
function selects(engine: Engine, selector: string, session: Session): boolean {
  try {
    return session.id === selector || fitsSelector(selector, (ref) => find({ engine }, ref).session)(session);
  } catch (error) {
    if (error instanceof Refused) return false;
    throw error;
  }
}
