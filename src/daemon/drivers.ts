// Who drives which session: its pane, or the driver that its provider brings along. Keys that a person presses from
// afar go to the pane, where there is one.
import type { Session } from '../domain/core/session.ts';
import type { Driver, DriverDeps, ListeningDriver } from '../ports/driver.ts';
import type { Provider } from '../ports/provider.ts';

export interface Drivers extends Omit<ListeningDriver, keyof Driver | 'leave'> {
  of(session: Session): Driver;
}

export function createDrivers(providers: Iterable<Provider>, panes: Driver, deps: DriverDeps): Drivers {
  const own = new Map<string, ListeningDriver>();
  const { press, leaveCopyMode } = panes;
  for (const { name, reach, capabilities } of providers) {
    if (reach.by !== 'driver') continue;
    own.set(name, { ...reach.drive(deps), ...(capabilities.pane && { press, leaveCopyMode }) });
  }

  return {
    of: ({ provider }) => own.get(provider) ?? panes,
    attend(session) {
      for (const [name, driver] of own) {
        if (name === session.provider) driver.attend(session);
        else driver.leave(session.id);
      }
    },
    async catchUp(id) {
      const session = deps.session(id);
      if (session) await own.get(session.provider)?.catchUp(id);
    },
    async close() {
      await Promise.all([...own.values()].map((driver) => driver.close()));
    },
  };
}
