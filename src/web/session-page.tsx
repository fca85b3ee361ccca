// One session: what it is doing, what it asks and was told, and the way to all the rest of it.
import { stateText } from '../cli/text/message.ts';
import { oneLine } from '../cli/text/safe.ts';
import { actor, contextUse, doing, reason } from '../cli/text/session.ts';
import { clock, shortClock } from '../cli/text/time.ts';
import { acts } from '../faces/acts.ts';
import { placeOf } from '../faces/attention.ts';
import { type Choices, sessionChoices } from '../faces/choices.ts';
import { signOf } from '../faces/signs.ts';
import type { MessageView } from '../protocol/message.ts';
import type { SessionView } from '../protocol/session.ts';
import { Composer } from './composer.tsx';
import { ContextTab } from './context-tab.tsx';
import type { Deeds } from './deeds.ts';
import { Events } from './events.tsx';
import { lazy } from './lazy.tsx';
import { Question } from './question.tsx';
import { messageLink, overviewLink, sessionLink, type Tab, tabs } from './route.ts';
import { ContextUse } from './session-row.tsx';
import type { Detail, Happening } from './state.ts';

interface Props {
  readonly id: string;
  readonly tab: Tab;
  /** Undefined: there is no such session, or no longer. */
  readonly session: SessionView | undefined;
  readonly detail: Detail | null;
  readonly deeds: Deeds;
  /** The daemon answers. */
  readonly isUp: boolean;
  /** He may look, and do nothing. */
  readonly isGuest: boolean;
  readonly choices: Choices;
  tell(happening: Happening): void;
}

const titles: Readonly<Record<Tab, string>> = {
  now: 'Messages',
  terminal: 'Terminal',
  changes: 'Changes',
  events: 'Timeline',
  context: 'Context',
};
/** Acts that are one of the tabs, or stand on the page anyway. */
const elsewhere = ['attach', 'send', 'answer', 'trace', 'tail', 'contexts', 'diff'];
/** What a guest is not shown. */
const own: readonly Tab[] = ['changes'];

export function SessionPage({ id, tab, session, detail, deeds, isUp, isGuest, choices, tell }: Props) {
  if (!session)
    return (
      <p class="quiet">
        There is no session {id}. It may have been killed. <a href={overviewLink}>All sessions</a>
      </p>
    );
  const may = (command: string) => !isGuest && !elsewhere.includes(command);
  const buttons = acts.filter((act) => may(act.command) && act.can(session));
  return (
    <article class="session-page">
      <Heading session={session} />
      {isGuest ? (
        <p class="doing">{doing(session, Date.now())}</p>
      ) : (
        <Question session={session} deeds={deeds} tell={tell} />
      )}
      <div class="acts">
        {buttons.map(({ command, key, words }) => (
          <button
            type="button"
            key={command}
            title={`${words} (${key})`}
            onClick={() => deeds.act(command, session)}
          >
            {buttonName[command] ?? command}
          </button>
        ))}
        {!isGuest && <Places session={session} choices={choices} deeds={deeds} />}
      </div>
      <nav class="tabs" aria-label="Parts of this session">
        {tabs
          .filter((each) => !isGuest || !own.includes(each))
          .map((each) => (
            <a key={each} href={sessionLink(id, each)} aria-current={each === tab ? 'page' : undefined}>
              {titles[each]}
            </a>
          ))}
      </nav>
      {tab === 'now' && (
        <Messages messages={detail?.messages ?? []} session={session} deeds={deeds} isGuest={isGuest} />
      )}
      {tab === 'terminal' && <Terminal session={session} deeds={deeds} isUp={isUp} isGuest={isGuest} />}
      {tab === 'changes' && !isGuest && <Changes session={session} deeds={deeds} heard={heardOf(detail)} />}
      {tab === 'context' && <ContextTab session={session} deeds={deeds} isGuest={isGuest} />}
      {tab === 'events' && <Events events={detail?.events ?? []} />}
    </article>
  );
}

/** The last event that says something of comments: they may have been written elsewhere. */
const heardOf = (detail: Detail | null): number =>
  detail?.events.findLast(({ type }) => type === 'comment')?.number ?? 0;

const Changes = lazy(async () => (await import('./diff/changes.tsx')).Changes);
const Terminal = lazy(async () => (await import('./terminal/terminal.tsx')).Terminal);

/** Its place in the list. */
function Places({ session, choices, deeds }: Pick<Props, 'choices' | 'deeds'> & { session: SessionView }) {
  const { id } = session;
  const words: Readonly<Record<string, string>> = {
    '*': choices.pinned.has(id) ? 'Unpin' : 'Pin',
    z: choices.snoozed.has(id) ? 'Bring it back' : 'Snooze',
  };
  return sessionChoices(choices, session)
    .filter(([key]) => key in words)
    .map(([key, title]) => (
      <button key={key} type="button" title={`${title} (${key})`} onClick={() => deeds.choose(key, session)}>
        {words[key]}
      </button>
    ));
}

/** What a button says where the command's own word says too little. */
const buttonName: Readonly<Record<string, string>> = {
  interrupt: 'Interrupt',
  clear: 'Clear…',
  name: 'Rename…',
  task: 'Task…',
  restore: 'Restore',
  kill: 'End…',
  why: 'Why?',
  output: 'Output',
  queue: 'Queue',
};

function Heading({ session }: { readonly session: SessionView }) {
  const sign = signOf(session);
  const { repository, branch } = placeOf(session);
  const now = Date.now();
  return (
    <header>
      <h1>
        <span class={`sign tone-${sign.tone}`}>
          <span aria-hidden="true">{sign.glyph}</span> {sign.word}
        </span>{' '}
        {oneLine(session.display_name)} <small>({session.id})</small>
      </h1>
      <p class="facts">
        <span>{[session.provider, session.model].filter(Boolean).join(', ')}</span>
        <span>
          {repository}
          {branch !== '' && `·${branch}`}
        </span>
        <span>since {shortClock(session.phase_since, now)}</span>
        <ContextUse percentage={session.context.used_percentage} text={contextUse(session)} />
      </p>
      {!session.question && <p class="doing">{doing(session, now)}</p>}
    </header>
  );
}

interface MessagesProps {
  readonly messages: readonly MessageView[];
  readonly session: SessionView;
  readonly deeds: Deeds;
  readonly isGuest: boolean;
}

function Messages({ messages, session, deeds, isGuest }: MessagesProps) {
  const now = Date.now();
  return (
    <>
      {session.ended === null && !isGuest && <Composer key={session.id} session={session} deeds={deeds} />}
      {messages.length === 0 && <p class="quiet">No messages yet.</p>}
      <ul class="messages">
        {messages.map(({ id, created_at, from, state, why, evidence, text }) => (
          <li key={id}>
            <p class="head">
              <time dateTime={created_at}>{clock(created_at, now)}</time> from {actor(from)}{' '}
              <a href={isGuest ? undefined : messageLink(id)} class={`state state-${state}`}>
                {state === 'held' ? `held: ${reason(why)}` : stateText(state, why)}
                {evidence && ` (${evidence.source})`}
              </a>
            </p>
            <p class="text">{text}</p>
          </li>
        ))}
      </ul>
    </>
  );
}
