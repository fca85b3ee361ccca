// A list of sessions as JSON, joined from the texts of views that are kept.

import type { Session } from '../domain/core/session.ts';
import { nearLimits } from './limits.ts';
import type { Fits } from './selection.ts';
import type { Service } from './service.ts';

interface Listed {
  /** With killed ones. */
  readonly retired: boolean;
}

export const listText = async (service: Service, listed: Listed, fits?: Fits): Promise<string> =>
  `{"sessions":[${await texts(service, listed, service.viewTexts.of, fits)}]}`;

/** Of each only what a list shows. */
export const rowsText = async (service: Service, listed: Listed, fits?: Fits): Promise<string> =>
  `{"rows":[${await texts(service, listed, service.viewTexts.rowOf, fits)}],"limits":${JSON.stringify(await nearLimits(service))}}`;

async function texts(
  { engine, store }: Service,
  { retired }: Listed,
  told: (session: Session) => string,
  fits: Fits = () => true,
): Promise<string> {
  const gone = retired ? await store.retired(1_000) : [];
  return engine.whenStored(() =>
    [...[...engine.all()].map(({ session }) => session), ...gone].filter(fits).map(told).join(','),
  );
}
