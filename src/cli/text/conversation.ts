// What is said in a session, as one reads a conversation: what it was told, what it says, and what it asks.
import type { EventView } from '../../protocol/event.ts';
import { eventName } from '../../protocol/event-name.ts';
import type { MessageView } from '../../protocol/message.ts';
import { oneLine, safeText } from './safe.ts';

/** `message`: the one that an event is about, where that was accepted. Most events say nothing here. */
export function conversationLines(event: EventView, message?: MessageView): string[] {
  const text = (name: string) => oneLine(String(event[name] ?? ''));
  switch (eventName(event)) {
    case 'message accepted':
      return message ? given(message) : [];
    case 'message held':
      return [`(a message is held: ${text('why')})`];
    case 'said':
      return safeText(String(event.text ?? '')).split('\n');
    case 'question asked':
      return [`? ${text('text')}`];
    case 'question answered':
      return [`(${text('decision')})`];
    case 'turn ended':
      if (event.end === 'ended') return [''];
      return [
        `(turn ${text('end').replace('-', ' ')}${event.last_words ? `: ${text('last_words')}` : ''})`,
        '',
      ];
    case 'compaction began':
      return ['(compacting)'];
    case 'context began':
      return event.context === 1 ? [] : ['(new context)'];
    case 'command typed':
    case 'command failed':
      return [`(${text('command')}${event.why ? `: ${text('why')}` : ''})`];
    default:
      return [];
  }
}

function given({ from, text }: MessageView): string[] {
  const who =
    from.kind === 'session' ? `${oneLine(from.name)} (${from.id}): ` : from.kind === 'sm' ? 'sm: ' : '';
  const [first = '', ...more] = safeText(text).split('\n');
  return [`> ${who}${first}`, ...more.map((line) => `  ${line}`)];
}
