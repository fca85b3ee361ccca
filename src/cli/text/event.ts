// An event of a session in words.
import type { EventView } from '../../protocol/event.ts';
import { eventName } from '../../protocol/event-name.ts';
import type { OneBudget } from '../../protocol/session.ts';
import { budgetText } from './budget.ts';
import { stateText } from './message.ts';
import { oneLine, safeJson, safeText } from './safe.ts';
import { actor, agentText } from './session.ts';
import { clock } from './time.ts';

export function eventLine(event: EventView, now: number): string {
  return `${clock(event.at, now)}  ${eventText(event)}`;
}

/** Words of an agent that has no terminal: whole, because they stand nowhere else. */
export function saidLines(event: EventView, now: number): string[] {
  const time = `${clock(event.at, now)}  `;
  const [first = '', ...more] = safeText(String(event.text ?? '')).split('\n');
  return [`${time}says: ${first}`, ...more.map((line) => `${' '.repeat(time.length)}${line}`)];
}

export function eventText(event: EventView): string {
  const text = (name: string) => oneLine(String(event[name] ?? ''));
  switch (eventName(event)) {
    case 'session created':
      return `created: ${text('name')}, ${text('provider')} in ${text('working_dir')}${forkOf(event)}`;
    case 'session launched':
      return `launched (pid ${text('pid')})`;
    case 'worktree output':
      return `worktree: ${text('text')}`;
    case 'worktree removing':
      return `worktree ${text('path')} is to be removed, by ${actor(event.by)}`;
    case 'worktree removed':
      return `worktree ${text('path')} removed; all that it had is kept in ${text('ref')}`;
    case 'worktree kept':
      return `worktree ${text('path')} stays: ${text('why')}`;
    case 'worktree restored':
      return `worktree brought back: ${text('path')}, branch ${text('branch')}`;
    case 'worktree not-restored':
      return `worktree not brought back: ${text('why')}`;
    case 'worktree finished':
      return `${text('branch')} is now in ${text('into')} (${text('how')}, ${text('commit').slice(0, 9)})`;
    case 'worktree not-finished':
      return `not finished: ${text('why')}`;
    case 'worktree set-up':
      return 'worktree set up';
    case 'worktree made':
      return `worktree made: ${text('path')}, branch ${text('branch')} from ${text('base')}`;
    case 'session ready':
      return 'ready';
    case 'session renamed':
      return `named ${text('name')}`;
    case 'task-set':
      return `task: ${text('task')}`;
    case 'tagged':
      return `tags ${tagChanges(event)}, by ${actor(event.by)}`;
    case 'session adopted':
      return 'found running after a restart of the daemon';
    case 'session exited':
      return `exited: ${text('reason')}`;
    case 'session lost':
      return `lost: ${text('reason')}`;
    case 'session killed':
      return `killed by ${actor(event.by)}`;
    case 'session restored':
      return `restored by ${actor(event.by)}, ${event.resumed ? 'with its conversation' : 'with a new conversation'}`;
    case 'session moved':
      return `taken over by ${actor(event.by)}: goes on as ${text('provider')}, ${event.resumed ? 'with its conversation' : 'with a new conversation'}`;
    case 'session not-moved':
      return `not taken over: ${text('why')}`;
    case 'context began':
      return `new context (${text('by')})`;
    case 'context ended':
      return `context ended (${text('reason')})`;
    case 'turn began':
      return 'turn began';
    case 'turn ended':
      return `turn ${text('end').replace('-', ' ')}${event.last_words ? `: ${text('last_words')}` : ''}`;
    case 'said':
      return `says: ${text('text')}`;
    case 'question asked':
      return `asks: ${text('text')}`;
    case 'question closed':
      return `continues: ${text('why')}`;
    case 'question answered':
      return `answered by ${actor(event.by)}: ${text('decision')}${event.text ? ` (${text('text')})` : ''}${event.rule ? `, always: rule ${text('rule')}` : ''}`;
    case 'question ruled':
      return `${event.decision === 'allow' ? 'allowed' : 'denied'} by rule ${text('rule')} (${text('says')}): ${text('question')}`;
    case 'question answer-taken':
      return 'the agent has the answer';
    case 'question answer-lost':
      return `the answer did not arrive: ${text('why')}`;
    case 'watched':
      return `watched by ${text('by')} for ${text('seconds')} s`;
    case 'limit told':
      return `${text('used')}% of the ${text('window')} limit used`;
    case 'limit reached':
      return `usage limit reached: ${text('text')}`;
    case 'limit resumed':
      return `usage limit reset: goes on with message ${text('message')}`;
    case 'limit over':
      return `no longer held by its usage limit: ${text('why')}`;
    case 'budget set':
      return `${budgetCalled(event)} set by ${actor(event.by)}: ${budgetText(event as EventView & Pick<OneBudget, 'usd' | 'tokens'>)}`;
    case 'budget off':
      return `${budgetCalled(event)} removed by ${actor(event.by)}`;
    case 'budget near':
    case 'budget unknown':
    case 'budget used-up':
      return text('text');
    case 'budget held':
      return `held: ${text('why')}`;
    case 'budget free':
      return 'no longer held by a budget';
    case 'lock taken':
      return `locked ${text('workspace')}${event.enforced ? ' for edits' : ''}: ${text('reason')}`;
    case 'lock released':
      return `lock on ${text('workspace')} released ${event.by === null ? 'with its owner' : `by ${actor(event.by)}`}`;
    case 'lock awaited':
      return `${text('by')} waits ${text('seconds')} s for the lock on ${text('workspace')}`;
    case 'clear expected':
      return 'a client is about to clear it';
    case 'clear asked':
      return `clear requested by ${actor(event.by)}`;
    case 'clear done':
      return `cleared by ${actor(event.by)}: context ${text('context')} begins`;
    case 'clear failed':
      return `not cleared: ${text('why')}`;
    case 'interrupt asked':
      return `interrupt requested by ${actor(event.by)}`;
    case 'interrupt failed':
      return `not interrupted: ${text('why')}`;
    case 'comment added':
      return `comment on ${text('path')}:${text('line')}, by ${actor(event.by)}`;
    case 'comment deleted':
      return `comment deleted by ${actor(event.by)}`;
    case 'comment sent':
      return `comments sent: message ${text('message')}`;
    case 'command queued':
      return `command ${text('command')} queued, from ${actor(event.by)}`;
    case 'command typed':
      return `command typed: ${text('command')}`;
    case 'command failed':
      return `command ${text('command')} failed: ${text('why')}`;
    case 'status-reported':
      return `reports: ${text('text')}`;
    case 'reminder started':
      return `sm asks for a status after ${text('soft')} s, urgently after ${text('hard')} s`;
    case 'reminder restarted':
      return `reminder restarted: ${text('why')}`;
    case 'reminder unheeded':
      return `silent: no status after ${text('times')} urgent reminders`;
    case 'reminder ended':
      return `reminder stopped: ${text('why')}`;
    case 'reminder sent':
      return `${text('kind')} reminder: message ${text('message')}`;
    case 'one-shot sent':
      return `reminder ${text('reminder')} is due: message ${text('message')}`;
    case 'one-shot set':
      return `reminder ${text('reminder')} set for ${clock(Number(event.due), Date.parse(event.at))}${
        event.every === null ? '' : `, then every ${text('every')} s`
      }`;
    case 'one-shot cancelled':
      return `reminder ${text('reminder')} cancelled`;
    case 'one-shot forced':
      return `still compacting after ${text('seconds')} s: reminder ${text('reminder')} goes anyway`;
    case 'key-pressed':
      return event.outcome === 'typed'
        ? `key ${text('key')} pressed`
        : `key ${text('key')} not pressed: ${text('outcome')}`;
    case 'monitor-set':
      return event.enabled ? 'context monitor on' : 'context monitor off';
    case 'usage sampled':
      return `context ${text('percentage')}% full`;
    case 'usage marked':
      return `context ${text('percentage')}% full: ${text('mark')} mark, agent told`;
    case 'handoff prepared':
      return `will hand over when its context is nearly full, from ${text('path')}`;
    case 'handoff scheduled':
      return `handoff scheduled: ${text('path')}`;
    case 'handoff clearing':
      return `handoff: clearing the context, for ${text('path')}`;
    case 'handoff cleared':
      return `handoff: context cleared; the prompt is message ${text('message')}`;
    case 'handoff done':
      return `handed over: ${text('path')}`;
    case 'handoff failed':
      return `handoff failed: ${text('why')} (${text('path')})`;
    case 'compaction began':
      return `compacting (${text('trigger')})`;
    case 'compaction ended':
      return 'compacted';
    case 'message queued':
      return event.why === undefined
        ? `message ${text('message')} queued, from ${actor(event.from)} (${text('mode')})`
        : `message ${text('message')} ${stateText('requeued', String(event.why))}`;
    case 'message typed':
    case 'message accepted':
    case 'message answered':
      return `message ${text('message')} ${text('state')}`;
    case 'message held':
    case 'message failed':
    case 'message cut-off':
    case 'message interrupted':
    case 'message died':
    case 'message cleared':
    case 'message unknown':
    case 'message withdrawn':
    case 'message expired':
      return `message ${text('message')} ${stateText(String(event.state), String(event.why))}`;
    case 'notice-posted':
      return `told ${text('to')} ${noticeText(event)}`;
    case 'fact-set-aside':
      return `ignored: ${text('fact')} (${text('why')})`;
    case 'screen unrecognised':
      return `screen not recognised (${agentText(text('provider'), event.agent_version)}): sm types nothing into it`;
    case 'screen recognised':
      return 'screen recognised again';
    case 'agent-model':
      return `model ${text('model')}`;
    case 'checked-out':
      return checkedOut(event);
    case 'agent-version':
      return `agent version ${text('version')}`;
    default:
      return unknownEvent(event);
  }
}

const notices: Readonly<Record<string, string>> = {
  'turn-end': 'that the turn ended',
  accepted: 'that the message was accepted',
  slow: 'that the turn is still running',
  failed: 'that the message failed',
  question: 'what it asks',
  gone: 'that it is gone',
  watch: 'the end of its wait',
  blocked: 'that it is blocked',
  silent: 'that it is silent',
  compaction: 'that its context was compacted',
  context: 'how full its context is',
  handoff: 'that its handoff failed',
  returned: 'that the message came back',
  lock: 'the state of the lock',
  screen: 'that its screen is not recognised',
};

function forkOf({ forked_from: from }: EventView): string {
  const { id, name, context } = (from ?? {}) as { id?: string; name?: string; context?: number };
  return id === undefined ? '' : `, a copy of ${oneLine(`${name} (${id})`)}, context ${context}`;
}

function checkedOut({ repository, branch, commit }: EventView): string {
  if (typeof repository !== 'string') return 'works in no git checkout';
  const what = typeof branch === 'string' ? `branch ${branch}` : `commit ${commit}`;
  return oneLine(`on ${what} of ${repository}`);
}

/** `+night -old` */
function tagChanges({ added, removed }: EventView): string {
  const signed = (sign: string, tags: unknown) => [tags].flat().map((each) => sign + String(each ?? ''));
  return oneLine([...signed('+', added), ...signed('-', removed)].join(' '));
}

function noticeText({ about, message, notice }: EventView): string {
  const what = String(about);
  const of = typeof message === 'string' ? ` (message ${message}, notice ${notice})` : ` (notice ${notice})`;
  return oneLine((Object.hasOwn(notices, what) ? notices[what] : `about ${what}`) + of);
}

const budgetCalled = ({ family }: EventView): string => (family ? 'family budget' : 'budget');

/** A newer daemon may tell what this program has no words for. */
function unknownEvent(event: EventView): string {
  const { number: _, session_id: __, at: ___, type: ____, state: _____, step: ______, ...details } = event;
  const name = eventName(event);
  return oneLine(Object.keys(details).length === 0 ? name : `${name} ${safeJson(details)}`);
}
