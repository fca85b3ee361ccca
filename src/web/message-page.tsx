// The life of one message: its states on one line with the time between them, and below what proves each.
import { eventText } from '../cli/text/event.ts';
import { isOver, stateText } from '../cli/text/message.ts';
import { actor, nameAndId } from '../cli/text/session.ts';
import { clock, elapsed } from '../cli/text/time.ts';
import type { EventView } from '../protocol/event.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Deeds } from './deeds.ts';
import { Proof } from './proof.tsx';
import { sessionLink } from './route.ts';
import { useAnswer } from './use-answer.ts';

interface Props {
  readonly id: string;
  readonly sessions: ReadonlyMap<string, SessionView>;
  readonly deeds: Deeds;
}

export function MessagePage({ id, sessions, deeds }: Props) {
  // Every change of its session may be one of its own.
  const asked = useAnswer(() => deeds.client.ask('GET /messages/{id}', { id }), [id, sessions]);
  if (asked.is === 'waiting') return <p class="quiet">…</p>;
  if (asked.is === 'refused') return <p class="quiet">{asked.why}</p>;
  const { message, events } = asked.answer;
  const session = sessions.get(message.session_id);
  const now = Date.now();
  const waits = message.state === 'queued' || message.state === 'held';
  return (
    <article class="message-page">
      <h1>Message #{message.id}</h1>
      <p class="facts">
        <span>from {actor(message.from)}</span>
        <span>
          to <a href={sessionLink(message.session_id)}>{session ? nameAndId(session) : message.session_id}</a>
        </span>
        <span>{message.mode}</span>
        <b class={isOver(message.state) ? '' : 'tone-good'}>{stateText(message.state, message.why)}</b>
      </p>
      <Life events={events.filter((event) => event.type === 'message')} />
      <pre class="words">{message.text}</pre>
      {waits && (
        <button type="button" onClick={() => deeds.perform(withdraw(message.id))}>
          Withdraw it
        </button>
      )}
      <ol class="events">
        {events.map((event) => (
          <li key={event.number}>
            <time dateTime={event.at}>{clock(event.at, now)}</time> {eventText(event)}
            <Proof event={event} />
          </li>
        ))}
      </ol>
    </article>
  );
}

const withdraw =
  (id: string) =>
  async (client: Deeds['client']): Promise<string> => {
    await client.ask('POST /messages/{id}/withdraw', { id });
    return `Message #${id} was withdrawn.`;
  };

/** `queued → 4 ms → typed → 24 ms → accepted` */
function Life({ events }: { readonly events: readonly EventView[] }) {
  return (
    <ol class="life">
      {events.map((event, at) => {
        const before = events[at - 1];
        return (
          <li key={event.number}>
            {before && <span class="between">{elapsed(Date.parse(event.at) - Date.parse(before.at))}</span>}
            <span class="state">{String(event.state).replace('-', ' ')}</span>
          </li>
        );
      })}
    </ol>
  );
}
