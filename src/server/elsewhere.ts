// Sessions of other nodes: which one is meant, and what can be said of it here.
import type { Refusal } from '../domain/core/input.ts';
import { conflict } from '../domain/core/refusal.ts';
import { nodeName } from '../protocol/node.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Fleet } from './fleet.ts';
import { Refused } from './refused.ts';
import { find } from './resolve.ts';
import type { Service } from './service.ts';

export interface Elsewhere {
  readonly fleet: Fleet;
  readonly node: string;
  /** At its node, or what it was called by somebody who knows better than the directory. */
  readonly id: string;
  /** Null: its node has not told of it, or not yet. */
  readonly view: SessionView | null;
}

/** Null: it is meant to be here. A session of this node comes first, whatever others are called. */
export function elsewhere(service: Service, ref: string): Elsewhere | null {
  const fleet = service.fleet();
  if (!fleet || isHere(service, ref)) return null;
  const [found, ...more] = fitting(fleet.sessions(), ref);
  if (!found) return toldOfLater(fleet, ref);
  if (more.length > 0) throw new Refused(several(ref, [found, ...more]));
  const node = found.node as string;
  return { fleet, node, id: found.id.slice(0, -node.length - 1), view: found };
}

function isHere(service: Service, ref: string): boolean {
  try {
    find(service, ref);
    return true;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return error.refusal.code !== 'not-found';
  }
}

/** By id, name or a beginning of the id, with `@NODE` or without. */
function fitting(sessions: readonly SessionView[], ref: string): SessionView[] {
  const exact = sessions.filter(({ id }) => id === ref);
  if (exact.length > 0) return exact;
  const named = sessions.filter((view) =>
    names(view).some((name) => name === ref || `${name}@${view.node}` === ref),
  );
  if (named.length > 0) return named;
  const at = ref.lastIndexOf('@');
  const [start, node] = at < 0 ? [ref, null] : [ref.slice(0, at), ref.slice(at + 1)];
  return start.length < 2
    ? []
    : sessions.filter((view) => view.id.startsWith(start) && (node === null || view.node === node));
}

const names = ({ display_name, name, id, node = '' }: SessionView): string[] => [
  display_name,
  name,
  id.slice(0, -node.length - 1),
];

/** Whoever names a node means a session there, also one that the directory does not know. */
function toldOfLater(fleet: Fleet, ref: string): Elsewhere | null {
  const at = ref.lastIndexOf('@');
  const node = ref.slice(at + 1);
  if (at < 1 || node === fleet.node || !nodeName.safeParse(node).success) return null;
  if (fleet.isKnown() && !fleet.nodes().some(({ name }) => name === node)) return null;
  return { fleet, node, id: ref.slice(0, at), view: null };
}

function several(ref: string, found: readonly SessionView[]): Refusal {
  const list = found.map(({ display_name, id }) => `${display_name} (${id})`).join(', ');
  return conflict(`"${ref}" matches sessions of several nodes: ${list}. Name one as NAME@NODE.`, {
    is: 'several-sessions',
    ref,
    sessions: found.map(({ id, display_name }) => ({ id, name: display_name })),
  });
}
