// What proves an event: its source at a glance, all of it when it is opened.
import { proof } from '../cli/text/trace.ts';
import type { EventView } from '../protocol/event.ts';

export function Proof({ event }: { readonly event: EventView }) {
  const { source } = (event.evidence ?? {}) as { readonly source?: string };
  if (source === undefined) return null;
  return (
    <details class="proof">
      <summary>{source}</summary>
      {proof(event, Date.now()).trim()}
    </details>
  );
}
