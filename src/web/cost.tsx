// What was used up, as sm cost tells it.
import { costTable, nothingUsed, whatIsUnknown } from '../cli/text/cost.ts';
import type { CostView } from '../protocol/cost.ts';
import type { Deeds } from './deeds.ts';
import { Table } from './table.tsx';
import { useAnswer } from './use-answer.ts';

interface Props {
  readonly deeds: Deeds;
  readonly query: { readonly session?: string; readonly since?: string; readonly by?: CostView['by'] };
  /** It is asked for again whenever one of these is another. */
  readonly depends: readonly unknown[];
}

export function Cost({ deeds, query, depends }: Props) {
  const asked = useAnswer(() => deeds.client.ask('GET /cost', { query }), depends);
  if (asked.is === 'waiting') return <p class="quiet">…</p>;
  if (asked.is === 'refused') return <p class="quiet">{asked.why}</p>;
  if (asked.answer.entries.length === 0) return <p class="quiet">{nothingUsed}</p>;
  return (
    <>
      <Table {...costTable(asked.answer)} />
      {whatIsUnknown(asked.answer).map((line) => (
        <p key={line} class="quiet-line">
          {line}
        </p>
      ))}
    </>
  );
}
