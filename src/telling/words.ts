// An occasion in one line, for whoever is told of it.
import { type EventBody, isNamed } from '../domain/core/event.ts';
import { displayName, type Session } from '../domain/core/session.ts';

const longest = 300;

/** `login (35c21191) asks: Bash: rm -r build` */
export function occasionText(session: Session | null, id: string, body: EventBody): string {
  const name = `${session ? displayName(session) : 'A session'} (${id})`;
  const text = `${name} ${whatHappened(body)}`.replace(/\s+/g, ' ').trim();
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

export function whatHappened(body: EventBody): string {
  if (isNamed(body, 'question asked')) return `asks: ${body.text}`;
  if (isNamed(body, 'screen unrecognised')) return 'shows a screen that is not recognised';
  if (isNamed(body, 'session lost')) return `is lost: ${body.reason}`;
  if (isNamed(body, 'session exited')) return `died: ${body.reason}`;
  if (isNamed(body, 'reminder unheeded')) return `is silent: no status after ${body.times} urgent reminders`;
  if (isNamed(body, 'limit reached')) return `stands still at its limit: ${body.text}`;
  if (isNamed(body, 'budget used-up')) return `is held: ${body.text}`;
  if (isNamed(body, 'budget near')) return `nears the end of its budget: ${body.text}`;
  if (isNamed(body, 'budget unknown')) return `has a budget, but ${body.text}`;
  if (!isNamed(body, 'turn ended')) return '';
  return body.end === 'failed'
    ? `failed: ${body.lastWords ?? 'unknown error'}`
    : `finished${body.lastWords ? `: ${body.lastWords}` : ''}`;
}
