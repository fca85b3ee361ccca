// Gives the terminal a size that fits here. Looking alone never does: others may look too, or sit at it.
import { nameAndId } from '../../cli/text/session.ts';
import type { SessionView } from '../../protocol/session.ts';
import type { Deeds } from '../deeds.ts';
import { cellWidth } from './cell-width.ts';

interface Props {
  readonly session: SessionView;
  readonly deeds: Deeds;
  readonly frame: { readonly current: HTMLElement | null };
  readonly shown: { readonly columns: number; readonly rows: number };
}

/** Letters of this size, in pixels, are read with ease. */
const [letter, row] = [13, 13 * 1.28];

export function TakeSize({ session, deeds, frame, shown }: Props) {
  const take = () => {
    const { current } = frame;
    if (!current) return;
    const body = fitting(current);
    void deeds.perform(async (client) => {
      const { columns, rows } = await client.ask('PUT /sessions/{ref}/size', { ref: session.id, body });
      return `The terminal of ${nameAndId(session)} has ${columns} × ${rows} now, for everybody.`;
    });
  };
  return (
    <p class="size">
      {shown.columns} × {shown.rows}{' '}
      <button type="button" class="plain" title="Make it fit here, for everybody" onClick={take}>
        Take the size
      </button>
    </p>
  );
}

function fitting(frame: HTMLElement) {
  const within = (least: number, value: number, most: number) =>
    Math.max(least, Math.min(most, Math.floor(value)));
  return {
    columns: within(40, (frame.clientWidth - 24) / (cellWidth(frame) * letter), 240),
    rows: within(15, (window.innerHeight * 0.7) / row, 80),
  };
}
