// How a session is put into words, everywhere the same: on the command line, the screen and the page.
import type { SessionRow, SessionView } from '../../protocol/session.ts';
import { oneLine } from './safe.ts';
import { ago, duration, shortClock } from './time.ts';

/** `NAME (ID)` */
export function nameAndId(session: Pick<SessionView, 'id' | 'display_name'>): string {
  return `${oneLine(session.display_name)} (${session.id})`;
}

export function isLive({ phase }: Pick<SessionRow, 'phase'>): boolean {
  return phase !== 'exited' && phase !== 'lost';
}

/** The one thing that is most worth knowing about it now. */
export function doing(session: SessionRow, now: number): string {
  const screen = notRecognised(session);
  if (session.question) return `asks: ${oneLine(session.question.text)}${screen && `; ${screen}`}`;
  // An older daemon knows of none.
  if (session.limit) return limitText(session.limit, now);
  const { near, hold } = session.budget ?? {};
  if (hold && session.phase === 'blocked') return `held: ${oneLine(hold.why)}`;
  if (session.ended) return oneLine(session.ended.reason);
  if (screen) return screen;
  const own =
    session.agent_status_text === null ? oneLine(session.current_task ?? '') : reported(session, now);
  return [near && oneLine(near), own].filter(Boolean).join('; ');
}

/** `limit until 14:00` */
export const limitText = ({ until }: { readonly until: string | null }, now: number): string =>
  until === null ? 'usage limit reached' : `limit until ${shortClock(until, now)}`;

/** `"TEXT" (2m ago)`, or that there is none. */
export function reported({ agent_status_text: text, agent_status_at: at }: SessionRow, now: number): string {
  if (text === null) return '(no status)';
  return `"${oneLine(text)}"${at === null ? '' : ` (${ago(at, now)})`}`;
}

/** `screen not recognised (claude 2.1.325)`; empty: not that we know. */
export function notRecognised({
  screen_unrecognised_since: since,
  provider,
  agent_version: version,
}: SessionRow): string {
  return since ? `screen not recognised (${agentText(provider, version)})` : '';
}

export function contextUse({ context }: SessionRow): string {
  return context.used_percentage === null ? '' : `${Math.round(context.used_percentage)}%`;
}

export function waitingMessages({ waiting }: SessionView): string {
  if (waiting.count === 0) return '';
  const count = `${waiting.count} message${waiting.count === 1 ? '' : 's'}`;
  return waiting.held === null ? `${count} waiting` : `${count} held: ${reason(waiting.held)}`;
}

export function phaseAndSince(session: SessionView, now: number): string {
  const since = session.question?.since ?? session.turn?.began_at ?? session.ended?.at;
  return since === undefined ? session.phase : `${session.phase} for ${duration(now - Date.parse(since))}`;
}

/** How to bring it back, for one that has ended. */
export function whyItEnded(session: SessionView): string {
  const { ended, phase, id } = session;
  const how = ended?.killed ? 'was killed' : `is ${phase}${ended ? `: ${oneLine(ended.reason)}` : ''}`;
  return `${nameAndId(session)} ${how}. Restore it with: sm restore ${id}`;
}

/** `fix-login`, `(0123456789ab)` where no branch is checked out. */
export function branchOf({ checkout }: SessionRow): string {
  if (!checkout) return '';
  return oneLine(checkout.branch ?? `(${checkout.commit})`);
}

export interface Relative<Each extends SessionRow = SessionRow> {
  readonly session: Each;
  /** How many of its ancestors are in the list. */
  readonly depth: number;
}

export function byFamily<Each extends SessionRow>(sessions: readonly Each[]): Relative<Each>[] {
  const known = new Set(sessions.map(({ id }) => id));
  const childrenOf = new Map<string | null, Each[]>();
  for (const session of sessions) {
    const parent =
      session.parent_session_id !== null && known.has(session.parent_session_id)
        ? session.parent_session_id
        : null;
    const siblings = childrenOf.get(parent);
    if (siblings) siblings.push(session);
    else childrenOf.set(parent, [session]);
  }
  const ordered: Relative<Each>[] = [];
  const walk = (parent: string | null, depth: number) => {
    for (const session of childrenOf.get(parent) ?? []) {
      ordered.push({ session, depth });
      walk(session.id, depth + 1);
    }
  };
  walk(null, 0);
  return ordered;
}

/** `claude 2.1.325` */
export function agentText(provider: string, version: unknown): string {
  return oneLine(typeof version === 'string' ? `${provider} ${version}` : `${provider}, version unknown`);
}

/** `NAME (ID)` of a session as far as it is known, `the user`, or `sm`. */
export function actor(value: unknown): string {
  const { kind, id, name, via } = (value ?? {}) as Readonly<Record<string, string | undefined>>;
  if (kind === 'sm') return 'sm';
  if (kind !== 'session') return via === undefined ? 'the user' : oneLine(`the user (${via})`);
  return oneLine(name === undefined ? String(id) : `${name} (${id})`);
}

const words: Readonly<Record<string, string>> = {
  draft: 'a draft is in its composer',
  returned: 'an interrupt put it back into its composer',
};

export function reason(why: unknown): string {
  const text = oneLine(String(why ?? ''));
  return (Object.hasOwn(words, text) ? words[text] : undefined) ?? text;
}
