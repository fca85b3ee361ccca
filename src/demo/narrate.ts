// Tells an event in a sentence; what only an engineer wants to know is left out.
import type { EventView } from '../protocol/event.ts';
import { eventName } from '../protocol/event-name.ts';

export function narrate(event: EventView, name: string): string | null {
  const evidence = event.evidence as { source?: string } | undefined;
  switch (eventName(event)) {
    case 'session created':
      return `${name} is created${event.parent_id ? ' by the manager' : ''}`;
    case 'session ready':
      return `${name} is ready (evidence: ${evidence?.source})`;
    case 'session adopted':
      return `${name} is still alive`;
    case 'message queued':
      return `${name} ← #${event.message} queued`;
    case 'message typed':
      return `${name} ← #${event.message} typed, not proven yet`;
    case 'message accepted':
      return `${name} ← #${event.message} accepted (evidence: ${evidence?.source})`;
    case 'message answered':
      return `${name} ← #${event.message} answered`;
    case 'notice-posted':
      return event.about === 'compaction'
        ? `${name} notifies its parent: context compacted`
        : `${name} notifies the sender: turn finished`;
    case 'reminder started':
      return `${name} should report every ${event.soft} s`;
    case 'reminder sent':
      return event.kind === 'soft'
        ? `${name} ← soft reminder, without an interrupt (#${event.message})`
        : `${name} ← urgent reminder (#${event.message})`;
    case 'one-shot sent':
      return `${name} ← reminder (#${event.message})`;
    case 'status-reported':
      return `${name} reports: “${event.text}”`;
    case 'compaction began':
      return `${name} compacts its context`;
    case 'compaction ended':
      return `${name} finished compacting`;
    case 'usage marked':
      return `${name}'s context is ${event.percentage} % full (${event.mark} mark)`;
    case 'handoff scheduled':
      return `${name} asks for a handoff at the end of its turn`;
    case 'handoff clearing':
      return `${name} wrote its handoff document; clearing its context`;
    case 'handoff cleared':
      return `${name} has an empty context; its first prompt is #${event.message}`;
    case 'handoff done':
      return `${name} continues in context ${event.context}`;
    case 'task-set':
      return `${name}'s task: ${event.task}`;
    case 'turn ended':
      return event.last_words === null
        ? `${name} is interrupted`
        : `${name} ends its turn: “${event.last_words}”`;
    default:
      return null;
  }
}
