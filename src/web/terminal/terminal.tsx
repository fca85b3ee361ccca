// The live terminal of a session: what its pane shows, in its real colours, as large as fits. Looking changes nothing.
import { Component } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { nameAndId } from '../../cli/text/session.ts';
import type { Client } from '../../client/client.ts';
import { type PaneScreen, screenAfter } from '../../client/screen-after.ts';
import type { SessionView } from '../../protocol/session.ts';
import type { Deeds } from '../deeds.ts';
import { cellWidth } from './cell-width.ts';
import { Keyboard } from './keyboard.tsx';
import { spansOf } from './spans.ts';
import { TakeSize } from './take-size.tsx';
import { useVisible } from './use-visible.ts';

interface Props {
  readonly session: SessionView;
  readonly deeds: Deeds;
  /** The daemon answers. */
  readonly isUp: boolean;
  /** He may look, and do nothing. */
  readonly isGuest: boolean;
}

export function Terminal({ session, deeds, isUp, isGuest }: Props) {
  const { id } = session;
  const isThere = session.tmux_session !== null && session.ended === null;
  const { screen, isOver } = useScreen(deeds.client, id, isUp && isThere);
  const [isUnlocked, setUnlocked] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  useFittingFont(frame, screen?.columns ?? 80);

  if (session.tmux_session === null)
    return <p class="quiet">{nameAndId(session)} has no terminal; what it says is in its timeline.</p>;
  if (!screen) return <p class="quiet">{isThere && !isOver ? '…' : 'Its terminal is gone.'}</p>;
  return (
    <>
      <div class="pane" ref={frame} role="img" aria-label={`The terminal of ${nameAndId(session)}`}>
        <div class="screen">
          {screen.lines.map((text, row) => (
            <Row key={row} text={text} />
          ))}
          {isUnlocked && (
            <span
              class="cursor"
              style={{ left: `${screen.cursor.x}ch`, top: `calc(${screen.cursor.y} * var(--row))` }}
            />
          )}
        </div>
      </div>
      {!isGuest && <TakeSize session={session} deeds={deeds} frame={frame} shown={screen} />}
      {!isGuest && (
        <Keyboard
          session={session}
          deeds={deeds}
          frame={frame}
          isUnlocked={isUnlocked}
          setUnlocked={setUnlocked}
        />
      )}
    </>
  );
}

/** Only rows that differ are drawn again. */
class Row extends Component<{ readonly text: string }> {
  override shouldComponentUpdate({ text }: { readonly text: string }): boolean {
    return text !== this.props.text;
  }

  override render() {
    return (
      <div class="line">
        {spansOf(this.props.text).map(({ text, class: name, colour, background, cells }, at) => (
          <span
            key={at}
            class={cells === undefined ? name : `${name} cells`}
            style={{
              color: colour,
              backgroundColor: background,
              width: cells === undefined ? undefined : `${cells}ch`,
            }}
          >
            {text}
          </span>
        ))}
      </div>
    );
  }
}

function useScreen(client: Client, id: string, wanted: boolean) {
  const [screen, setScreen] = useState<PaneScreen | null>(null);
  const [isOver, setOver] = useState(false);
  const isVisible = useVisible();
  useEffect(() => {
    if (!wanted || !isVisible) return;
    const stop = new AbortController();
    void (async () => {
      let shown: PaneScreen | null = null;
      for await (const item of client.screen(id, stop.signal)) {
        shown = screenAfter(shown, item);
        setOver(item.is === 'none');
        setScreen(shown);
      }
    })().catch(() => {});
    return () => stop.abort();
  }, [client, id, wanted, isVisible]);
  return { screen, isOver };
}

const [smallest, largest] = [5, 15];

/** The pane keeps its size, whoever looks: the font is what fits. */
function useFittingFont(frame: { readonly current: HTMLElement | null }, columns: number): void {
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current) return;
    const resize = () => {
      const cell = cellWidth(current);
      const size = Math.max(smallest, Math.min(largest, (current.clientWidth - 24) / (columns * cell)));
      current.style.setProperty('--size', `${Math.floor(size * 20) / 20}px`);
    };
    resize();
    const observer = new ResizeObserver(resize);
    observer.observe(current);
    return () => observer.disconnect();
  });
}
