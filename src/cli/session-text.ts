// How a session is put into words, everywhere the same.
import { homedir } from 'node:os';
import type { SessionView } from '../protocol/session.ts';
import { agentText } from './agent-text.ts';
import { oneLine } from './format/text.ts';
import { ago, duration } from './format/time.ts';
import { reason } from './reason.ts';

/** `NAME (ID)` */
export function nameAndId(session: Pick<SessionView, 'id' | 'display_name'>): string {
  return `${oneLine(session.display_name)} (${session.id})`;
}

export function isLive({ phase }: SessionView): boolean {
  return phase !== 'exited' && phase !== 'lost';
}

/** The one thing that is most worth knowing about it now. */
export function doing(session: SessionView, now: number): string {
  const screen = notRecognised(session);
  if (session.question) return `asks: ${oneLine(session.question.text)}${screen && `; ${screen}`}`;
  if (session.ended) return oneLine(session.ended.reason);
  if (screen) return screen;
  return session.agent_status_text === null ? oneLine(session.current_task ?? '') : reported(session, now);
}

/** `"TEXT" (2m ago)`, or that there is none. */
export function reported({ agent_status_text: text, agent_status_at: at }: SessionView, now: number): string {
  if (text === null) return '(no status)';
  return `"${oneLine(text)}"${at === null ? '' : ` (${ago(at, now)})`}`;
}

/** `screen not recognised (claude 2.1.325)`; empty: not that we know. */
export function notRecognised({
  screen_unrecognised_since: since,
  provider,
  agent_version: version,
}: SessionView): string {
  return since ? `screen not recognised (${agentText(provider, version)})` : '';
}

export function contextUse({ context }: SessionView): string {
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

export function directory(path: string): string {
  const home = homedir();
  return oneLine(path === home || path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
}

/** How to bring it back, for one that has ended. */
export function whyItEnded(session: SessionView): string {
  const { ended, phase, id } = session;
  const how = ended?.killed ? 'was killed' : `is ${phase}${ended ? `: ${oneLine(ended.reason)}` : ''}`;
  return `${nameAndId(session)} ${how}. Restore it with: sm restore ${id}`;
}
