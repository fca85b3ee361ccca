// Messages that are on their way: each comes once along its arc, and then stands at whom it is for until it is over.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { restingAt, wayTo } from './arc.ts';
import { type Sent, shapes } from './flow.ts';

interface Props {
  readonly sent: readonly Sent[];
  /** What has a higher number happens now; null: nothing of it. */
  readonly since: number | null;
  rowOf(id: string): number;
}

/** More of them at one session are only counted. */
const mostInRow = 6;
const wayMs = 1_200;

export function Dots({ sent, rowOf, since }: Props) {
  const inRow = new Map<number, number>();
  const newest = useRef(0);
  // Whoever came already does not come again.
  const before = since === null ? Number.POSITIVE_INFINITY : Math.max(since, newest.current);
  newest.current = Math.max(newest.current, sent.at(-1)?.number ?? 0);
  return (
    <div class="dots" aria-hidden="true">
      {sent.flatMap((each) => {
        const row = rowOf(each.to);
        const place = inRow.get(row) ?? 0;
        inRow.set(row, place + 1);
        if (place > mostInRow) return [];
        const text = place === mostInRow ? '…' : shapes[each.state];
        const isNew = each.number > before;
        return [
          <Dot
            key={each.id}
            sent={each}
            text={text}
            from={rowOf(each.from)}
            to={row}
            place={place}
            moves={isNew}
          />,
        ];
      })}
    </div>
  );
}

interface DotProps {
  readonly sent: Sent;
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly place: number;
  readonly moves: boolean;
}

function Dot({ sent: { state }, text, from, to, place, moves }: DotProps) {
  const element = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!moves || from === to || matchMedia('(prefers-reduced-motion: reduce)').matches) return;
    const frames = wayTo(from, to).map(({ x, y }) => ({ transform: `translate(${x}px, ${y}px)` }));
    const movement = element.current?.animate(frames, { duration: wayMs, easing: 'ease-in-out' });
    return () => movement?.cancel();
  }, []);
  const { x, y } = restingAt(to, place);
  return (
    <span ref={element} class={`dot state-${state}`} style={{ left: `${x}px`, top: `${y}px` }}>
      {text}
    </span>
  );
}
