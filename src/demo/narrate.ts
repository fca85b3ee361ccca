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
      return event.about === 'compaction'
        ? `${name} notifies its parent: context compacted`
        : `${name} notifies the sender: turn finished`;
    case 'reminder-started':
      return `${name} is to report every ${event.soft} s`;
    case 'reminder-sent':
      return event.kind === 'soft'
        ? `${name} ← a soft reminder, which does not interrupt it (#${event.message})`
        : `${name} ← its reminder (#${event.message})`;
    case 'status-reported':
      return `${name} reports: “${event.text}”`;
    case 'compaction-began':
      return `${name} compacts its context`;
    case 'compaction-ended':
      return `${name} has compacted its context`;
    case 'context-marked':
      return `${name} has a context that is ${event.percentage} % full, which is the ${event.mark} mark`;
    case 'handoff-scheduled':
      return `${name} wants a new context, with a document as its thread, when its turn is over`;
    case 'handoff-clearing':
      return `${name} wrote its handoff document; clearing its context`;
    case 'handoff-cleared':
      return `${name} has an empty context; its first prompt is #${event.message}`;
    case 'handoff-done':
      return `${name} goes on in context ${event.context}`;
    case 'task-set':
      return `${name}'s task: ${event.task}`;
    case 'turn-ended':
      return event.last_words === null
        ? `${name} is interrupted`
        : `${name} ends its turn: “${event.last_words}”`;
    default:
      return null;
  }
}
