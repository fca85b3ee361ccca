// One session in the list: a line in columns on a desk, a card on a phone.
import { Component } from 'preact';
import { oneLine } from '../cli/text/safe.ts';
import { contextUse, doing, waitingMessages } from '../cli/text/session.ts';
import { shortClock } from '../cli/text/time.ts';
import { placeOf } from '../faces/attention.ts';
import { signOf, useTone } from '../faces/signs.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Deeds } from './deeds.ts';
import { Question } from './question.tsx';
import { sessionLink } from './route.ts';
import type { Happening } from './state.ts';

interface Props {
  readonly session: SessionView;
  /** How many generations are above it. */
  readonly depth: number;
  /** How many it has, and how many of its family are folded away below it. */
  readonly childCount: number;
  readonly hidden: number;
  readonly isPinned: boolean;
  /** Says how long ago things were, so that it is drawn again with every one. */
  readonly minute: number;
  readonly deeds: Deeds;
  tell(happening: Happening): void;
}

/** Drawn again only when something about it is another: with 200 of them and 50 changes a second that is most of the work. */
export class SessionRow extends Component<Props> {
  override shouldComponentUpdate(next: Props): boolean {
    const { session, depth, childCount, hidden, isPinned, minute } = this.props;
    const isSame =
      next.session === session &&
      next.depth === depth &&
      next.childCount === childCount &&
      next.hidden === hidden &&
      next.isPinned === isPinned &&
      next.minute === minute;
    return !isSame;
  }

  override render(props: Props) {
    return drawn(props);
  }
}

function drawn({ session, depth, childCount, hidden, isPinned, deeds, tell }: Props) {
  const sign = signOf(session);
  const now = Date.now();
  const { repository, branch } = placeOf(session);
  const waits = waitingMessages(session);
  return (
    <li class={session.question ? 'session asks' : 'session'}>
      <a href={sessionLink(session.id)} class="row" data-session={session.id}>
        <span class={`sign tone-${sign.tone}`}>
          <span class="glyph" aria-hidden="true">
            {sign.glyph}
          </span>
          <span class="word">{sign.word}</span>
        </span>
        <span class="name" style={{ paddingInlineStart: `${depth * 1.1}em` }}>
          {isPinned && <span title="pinned">*</span>}
          {oneLine(session.display_name)}
          {hidden > 0 && <span class="hidden"> +{hidden}</span>}
        </span>
        <span class="agent">{session.provider}</span>
        <span class="place">
          {repository}
          {branch !== '' && <span class="branch">·{branch}</span>}
        </span>
        <span class="doing">
          {doing(session, now)}
          {waits !== '' && <span class="waits">{waits}</span>}
        </span>
        <time class="since" dateTime={session.phase_since}>
          {shortClock(session.phase_since, now)}
        </time>
        <ContextUse percentage={session.context.used_percentage} text={contextUse(session)} />
      </a>
      {childCount > 0 && (
        <button
          type="button"
          class="fold"
          aria-expanded={hidden === 0}
          onClick={() => deeds.choose(' ', session)}
        >
          <span aria-hidden="true">{hidden === 0 ? '▾' : '▸'}</span>
          <span class="spoken">the family of {oneLine(session.display_name)}</span>
        </button>
      )}
      <Question session={session} deeds={deeds} tell={tell} />
    </li>
  );
}

export function ContextUse({
  percentage,
  text,
}: {
  readonly percentage: number | null;
  readonly text: string;
}) {
  if (percentage === null) return <span class="use" />;
  const width = `${Math.max(0, Math.min(100, percentage))}%`;
  return (
    <span class={`use tone-${useTone(percentage)}`} title={`${text} of the context is used`}>
      <span class="bar" aria-hidden="true">
        <span style={{ width }} />
      </span>
      <span class="figure">{text}</span>
    </span>
  );
}
