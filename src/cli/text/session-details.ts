// All that is known of a session, for its own page, and its children as lines.
import type { BudgetView, OneBudget, SessionView } from '../../protocol/session.ts';
import type { Io } from '../io.ts';
import { budgetText } from './budget.ts';
import { coloursFor, phaseColour } from './colours.ts';
import { directory } from './directory.ts';
import { lockState } from './lock.ts';
import { oneLine } from './safe.ts';
import {
  agentText,
  branchOf,
  byFamily,
  nameAndId,
  phaseAndSince,
  reported,
  waitingMessages,
} from './session.ts';
import { ago, duration } from './time.ts';
import { cut, padEnd, textWidth } from './width.ts';

export function sessionDetails(io: Io, session: SessionView): string[] {
  const colours = coloursFor(io);
  const now = io.now();
  const facts: Record<string, string> = {
    phase: phaseAndSince(session, now),
    asks: oneLine(session.question?.text ?? ''),
    screen: screenOf(session, now),
    held: oneLine(session.budget?.hold?.why ?? ''),
    budget: budgetsText(session.budget),
    ended: oneLine(session.ended?.reason ?? ''),
    task: oneLine(session.current_task ?? ''),
    tags: oneLine(session.tags?.join(' ') ?? ''),
    status: reported(session, now),
    reminder: reminderOf(session),
    directory: directory(session.working_dir),
    branch: branchOf(session),
    parent: session.parent_session_id ?? '',
    forked: forkOf(session),
    agent: oneLine([session.provider, session.agent_version, session.model].filter(Boolean).join(', ')),
    options: optionsOf(session),
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

/** An older daemon knows of none. */
function budgetsText(budget: BudgetView | undefined): string {
  const part = (title: string, one: OneBudget | null | undefined): string =>
    one ? `${title}${budgetText(one)}, ${one.used_percentage}% used` : '';
  return [part('', budget?.own), part('for its family ', budget?.family)].filter(Boolean).join('; ');
}

/** An older daemon knows of none. */
function forkOf({ forked_from: from }: SessionView): string {
  return from ? `from ${oneLine(from.name)} (${from.session_id}), context ${from.context}` : '';
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

/** As they would be given again; of its own variables only the names are known. */
function optionsOf({ options }: SessionView): string {
  const named = (name: string, values: readonly string[]) => values.map((value) => `--${name} ${value}`);
  const words = [
    ...named('profile', options.profile === null ? [] : [options.profile]),
    ...named('permission-mode', options.permission_mode === null ? [] : [options.permission_mode]),
    ...named('add-dir', options.add_dirs.map(directory)),
    ...named('mcp-config', options.mcp_configs.map(directory)),
    ...(options.sandbox ? ['--sandbox'] : []),
    ...named('env', options.variables),
    ...(options.args.length > 0 ? ['--', ...options.args] : []),
  ];
  return oneLine(words.join(' '));
}

function contextOf({ context }: SessionView): string {
  const use = context.used_percentage === null ? '' : `, ${Math.round(context.used_percentage)}% used`;
  const size = context.window_size === null ? '' : ` of ${Math.round(context.window_size / 1000)}k`;
  const cost = context.cost_usd === null ? '' : `, $${context.cost_usd.toFixed(2)}`;
  return `${context.number}${use}${use ? size : ''}${cost}`;
}

export function childLines(
  { columns, now }: Pick<Io, 'columns' | 'now'>,
  children: readonly SessionView[],
): string[] {
  const family = byFamily(children).map(({ session, depth }) => ({
    session,
    name: '  '.repeat(depth) + oneLine(session.display_name),
  }));
  const nameWidth = Math.max(...family.map(({ name }) => textWidth(name)));
  const statusWidth = Math.max(...children.map(({ status }) => status.length));
  return family.map(({ session, name }) => {
    const start = `${padEnd(name, nameWidth)} (${session.id}) | ${session.status.padEnd(statusWidth)} | `;
    return start + progress(session, now(), columns === undefined ? columns : columns - textWidth(start));
  });
}

/** Only the text is cut: how old it is matters as much. */
function progress(
  { agent_status_text: text, agent_status_at: at }: SessionView,
  now: number,
  room?: number,
): string {
  if (text === null) return '(no status)';
  const age = at === null ? '' : ` (${ago(at, now)})`;
  const line = oneLine(text);
  const shown = room === undefined ? line : cut(line, Math.max(10, room - age.length - 2));
  return `"${shown}"${age}`;
}
