// One session: what it is doing, what it was told, what happened.
import { eventText } from '../cli/text/event.ts';
import { stateText } from '../cli/text/message.ts';
import { oneLine } from '../cli/text/safe.ts';
import { actor, contextUse, doing, reason } from '../cli/text/session.ts';
import { clock } from '../cli/text/time.ts';
import { placeOf } from '../faces/attention.ts';
import { signOf } from '../faces/signs.ts';
import type { EventView } from '../protocol/event.ts';
import type { MessageView } from '../protocol/message.ts';
import type { SessionView } from '../protocol/session.ts';
import { overviewLink } from './route.ts';
import { ContextUse } from './session-row.tsx';
import type { Detail } from './state.ts';

interface Props {
  readonly id: string;
  /** Undefined: there is no such session, or no longer. */
  readonly session: SessionView | undefined;
  readonly detail: Detail | null;
}

export function SessionPage({ id, session, detail }: Props) {
  if (!session)
    return (
      <p class="quiet">
        There is no session {id}. It may have been killed. <a href={overviewLink}>All sessions</a>
      </p>
    );
  const sign = signOf(session);
  const { repository, branch } = placeOf(session);
  const now = Date.now();
  return (
    <article class="session-page">
      <h1>
        <span class={`sign tone-${sign.tone}`}>
          <span aria-hidden="true">{sign.glyph}</span> {sign.word}
        </span>{' '}
        {oneLine(session.display_name)} <small>({session.id})</small>
      </h1>
      <p class="facts">
        <span>{session.provider}</span>
        <span>
          {repository}
          {branch !== '' && `·${branch}`}
        </span>
        <span>since {clock(session.phase_since, now)}</span>
        <ContextUse percentage={session.context.used_percentage} text={contextUse(session)} />
      </p>
      <p>{doing(session, now)}</p>
      <section>
        <h2>Messages</h2>
        <Messages messages={detail?.messages ?? []} now={now} />
      </section>
      <section>
        <h2>Events</h2>
        <Events events={detail?.events ?? []} now={now} />
      </section>
    </article>
  );
}

function Messages({ messages, now }: { readonly messages: readonly MessageView[]; readonly now: number }) {
  if (messages.length === 0) return <p class="quiet">None yet.</p>;
  return (
    <ul class="messages">
      {messages.map(({ id, created_at, from, state, why, evidence, text }) => (
        <li key={id}>
          <p class="head">
            <time dateTime={created_at}>{clock(created_at, now)}</time> #{id.slice(0, 8)} from {actor(from)}{' '}
            <b>{state === 'held' ? `held: ${reason(why)}` : stateText(state, why)}</b>
            {evidence && ` (${evidence.source})`}
          </p>
          <p class="text">{text}</p>
        </li>
      ))}
    </ul>
  );
}

function Events({ events, now }: { readonly events: readonly EventView[]; readonly now: number }) {
  return (
    <ol class="events">
      {[...events].reverse().map((event) => (
        <li key={event.number}>
          <time dateTime={event.at}>{clock(event.at, now)}</time> {eventText(event)}
        </li>
      ))}
    </ol>
  );
}
