// One session, with all that a person or the agent itself may want to know of it.
import type { SessionView } from '../protocol/session.ts';
import { agentText } from './agent-text.ts';
import { coloursFor, phaseColour } from './format/colours.ts';
import { oneLine } from './format/text.ts';
import { duration } from './format/time.ts';
import { cut } from './format/width.ts';
import type { Io } from './io.ts';
import { lockState } from './lock-text.ts';
import { directory, nameAndId, phaseAndSince, reported, waitingMessages } from './session-text.ts';

export function sessionDetails(io: Io, session: SessionView): string[] {
  const colours = coloursFor(io);
  const now = io.now();
  const facts: Record<string, string> = {
    phase: phaseAndSince(session, now),
    asks: oneLine(session.question?.text ?? ''),
    screen: screenOf(session, now),
    ended: oneLine(session.ended?.reason ?? ''),
    task: oneLine(session.current_task ?? ''),
    status: reported(session, now),
    reminder: reminderOf(session),
    directory: directory(session.working_dir),
    parent: session.parent_session_id ?? '',
    agent: oneLine([session.provider, session.agent_version, session.model].filter(Boolean).join(', ')),
    context: contextOf(session),
    messages: waitingMessages(session),
    lock: session.lock ? `${directory(session.lock.workspace)}, ${lockState(session.lock, now)}` : '',
  };
  const room = (io.columns ?? Number.POSITIVE_INFINITY) - 13;
  const lines = Object.entries(facts)
    .filter(([, value]) => value !== '')
    .map(([label, value]) => {
      const paint = label === 'phase' ? phaseColour(session.phase, colours) : undefined;
      const shown = cut(value, room);
      return `  ${colours.dim(label.padEnd(9))}  ${paint ? paint(shown) : shown}`;
    });
  return [colours.bold(nameAndId(session)), ...lines];
}

function screenOf(session: SessionView, now: number): string {
  const { screen_unrecognised_since: since, provider, agent_version: version } = session;
  if (!since) return '';
  const known = `not recognised (${agentText(provider, version)}) for ${duration(now - Date.parse(since))}`;
  return `${known}: sm types nothing into it; see sm doctor`;
}

function reminderOf({ reminder }: SessionView): string {
  if (!reminder) return '';
  return `asks for a status after ${reminder.soft_threshold} s, urgently after ${reminder.hard_threshold} s`;
}

function contextOf({ context }: SessionView): string {
  const use = context.used_percentage === null ? '' : `, ${Math.round(context.used_percentage)}% used`;
  const size = context.window_size === null ? '' : ` of ${Math.round(context.window_size / 1000)}k`;
  const cost = context.cost_usd === null ? '' : `, $${context.cost_usd.toFixed(2)}`;
  return `${context.number}${use}${use ? size : ''}${cost}`;
}
