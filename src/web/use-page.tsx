// Limits and cost: what the accounts may use and have used, and what the sessions have used up.
import { useState } from 'preact/hooks';
import { limitHeading, limitRow, noLimits } from '../cli/text/limits.ts';
import { oneLine } from '../cli/text/safe.ts';
import { costBy } from '../faces/cost-by.ts';
import { Cost } from './cost.tsx';
import type { Deeds } from './deeds.ts';
import { Table } from './table.tsx';
import { useAnswer } from './use-answer.ts';

const dayMs = 86_400_000;
const times: Readonly<Record<string, number | null>> = {
  'the last day': dayMs,
  'the last 7 days': 7 * dayMs,
  'all that is kept': null,
};

export function UsePage({ deeds }: { readonly deeds: Deeds }) {
  const [by, setBy] = useState<(typeof costBy)[number]>('session');
  const [time, setTime] = useState('the last day');
  const minute = Math.floor(Date.now() / 60_000);
  const asked = useAnswer(() => deeds.client.ask('GET /limits'), [minute]);
  const ago = times[time] ?? null;
  const since = ago === null ? {} : { since: new Date(minute * 60_000 - ago).toISOString() };
  return (
    <article class="use-page">
      <h1>Limits</h1>
      {asked.is === 'refused' && <p class="quiet">{asked.why}</p>}
      {asked.is === 'here' && asked.answer.limits.length === 0 && <p class="quiet">{noLimits}</p>}
      {asked.is === 'here' && asked.answer.limits.length > 0 && (
        <Table
          heading={limitHeading}
          rows={asked.answer.limits.map((limit) => limitRow(limit, oneLine(limit.account), Date.now()))}
        />
      )}
      <h1>Cost</h1>
      <div class="tools">
        <select
          aria-label="By"
          value={by}
          onChange={(event) => setBy(event.currentTarget.value as typeof by)}
        >
          {costBy.map((each) => (
            <option key={each} value={each}>
              by {each}
            </option>
          ))}
        </select>
        <select aria-label="Of" value={time} onChange={(event) => setTime(event.currentTarget.value)}>
          {Object.keys(times).map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      </div>
      <Cost deeds={deeds} query={{ by, ...since }} depends={[by, time, minute]} />
    </article>
  );
}
