// Tells an event in a sentence; what only an engineer wants to know is left out.
import type { EventView } from '../protocol/session.ts';

export function narrate(event: EventView, name: string): string | null {
  const evidence = event.evidence as { source?: string } | undefined;
  switch (event.type) {
    case 'session-created':
      return `${name} is created${event.parent_id ? ' by the manager' : ''}`;
    case 'session-ready':
      return `${name} is ready (told by its ${evidence?.source})`;
    case 'session-adopted':
      return `${name} is found again, alive`;
    case 'message-queued':
      return `${name} ← a message is queued (#${event.message})`;
    case 'message-typed':
      return `${name} ← #${event.message} is typed into its terminal, not yet proven`;
    case 'message-accepted':
      return `${name} ← #${event.message} is accepted: its ${evidence?.source} says so`;
    case 'message-answered':
      return `${name} ← #${event.message} is answered`;
    case 'notice-posted':
      return `${name} owes a notice that its turn is over, and it is posted`;
    case 'task-set':
      return `${name} is there to ${event.task}`;
    case 'turn-ended':
      return event.end === 'interrupted'
        ? `${name} is interrupted`
        : `${name} ends its turn: “${event.last_words}”`;
    default:
      return null;
  }
}
