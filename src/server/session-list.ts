// A list of sessions as JSON, joined from the texts of views that are kept.

import type { Session } from '../domain/core/session.ts';
import { type SessionView, sessionRow } from '../protocol/session.ts';
import { nearLimits } from './limits.ts';
import type { Fits } from './selection.ts';
import type { Service } from './service.ts';

interface Listed {
  /** With killed ones. */
  readonly retired: boolean;
  /** With those of other nodes. */
  readonly fleet?: boolean;
}

export async function listText(service: Service, listed: Listed, fits?: Fits): Promise<string> {
  const others = listed.fleet ? (service.fleet()?.sessions() ?? []) : [];
  const own = await texts(service, listed, service.viewTexts.of, fits);
  return `{"sessions":[${[...own, ...others.map((view) => JSON.stringify(view))].join(',')}]}`;
}

/** By the views that they are made of, which are replaced and not changed. */
const rowTexts = new WeakMap<SessionView, string>();

function rowText(view: SessionView): string {
  const known = rowTexts.get(view);
  if (known !== undefined) return known;
  const text = JSON.stringify(sessionRow.parse(view));
  rowTexts.set(view, text);
  return text;
}

/** Of each only what a list shows. */
export async function rowsText(service: Service, listed: Listed, fits?: Fits): Promise<string> {
  const fleet = listed.fleet && !fits ? service.fleet() : null;
  const own = await texts(service, listed, service.viewTexts.rowOf, fits);
  const others = (fleet?.sessions() ?? []).map(rowText);
  const node = fleet ? `,"node":${JSON.stringify(fleet.node)}` : '';
  const limits = JSON.stringify(await nearLimits(service));
  return `{"rows":[${[...own, ...others].join(',')}]${node},"limits":${limits}}`;
}

async function texts(
  { engine, store }: Service,
  { retired }: Listed,
  told: (session: Session) => string,
  fits: Fits = () => true,
): Promise<string[]> {
  const gone = retired ? await store.retired(1_000) : [];
  return engine.whenStored(() =>
    [...[...engine.all()].map(({ session }) => session), ...gone].filter(fits).map(told),
  );
}
