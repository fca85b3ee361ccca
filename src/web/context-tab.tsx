// How full the context of a session is and was: the curve, the forecast, and all contexts that there were.
import { forecastText, rangeOf } from '../cli/text/context.ts';
import { clock, shortClock } from '../cli/text/time.ts';
import type { ContextView, CurveView } from '../protocol/context.ts';
import type { SessionView } from '../protocol/session.ts';
import { Cost } from './cost.tsx';
import { curvePaths, placeOn } from './curve.ts';
import type { Deeds } from './deeds.ts';
import { Table } from './table.tsx';
import { useAnswer } from './use-answer.ts';

interface Props {
  readonly session: SessionView;
  readonly deeds: Deeds;
  readonly isGuest: boolean;
}

export function ContextTab({ session, deeds, isGuest }: Props) {
  const { id, context } = session;
  // Asked again when it has grown or was emptied.
  const depends = [id, context.number, context.used_percentage, session.phase];
  const curve = useAnswer(() => deeds.client.ask('GET /sessions/{ref}/context', { ref: id }), depends);
  const all = useAnswer(() => deeds.client.ask('GET /sessions/{ref}/contexts', { ref: id }), depends);
  return (
    <>
      {curve.is === 'here' && <Curve view={curve.answer} />}
      {curve.is === 'refused' && <p class="quiet">{curve.why}</p>}
      {all.is === 'here' && <Contexts contexts={all.answer.contexts} />}
      {!isGuest && <Use session={session} deeds={deeds} />}
    </>
  );
}

/** What it has used up, and what its account has left. */
function Use({ session, deeds }: Omit<Props, 'isGuest'>) {
  const { id, limits } = session;
  const now = Date.now();
  return (
    <>
      <h2>Cost</h2>
      <Cost
        deeds={deeds}
        query={{ session: id }}
        depends={[id, session.context.number, session.last_turn?.at]}
      />
      {limits && (
        <>
          <h2>Limits of its account</h2>
          <Table
            heading={['WINDOW', 'USED', 'RESETS']}
            rows={limits.windows.map(({ name, used_percentage: used, resets_at: resets }) => [
              name,
              `${Math.floor(used)}%`,
              resets === null ? '?' : shortClock(resets, now),
            ])}
          />
        </>
      )}
    </>
  );
}

function Curve({ view }: { readonly view: CurveView }) {
  const range = rangeOf(view);
  if (!range) return <p class="quiet">The agent has not told yet how full its context is.</p>;
  const { marks, moments } = view;
  const now = Date.now();
  return (
    <figure class="curve">
      <div class="plot">
        <svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">
          <line class="mark" x1="0" x2="100" y1={100 - marks.warning} y2={100 - marks.warning} />
          <line class="mark critical" x1="0" x2="100" y1={100 - marks.critical} y2={100 - marks.critical} />
          {moments.map(({ at, is }) => {
            const x = placeOn(Date.parse(at), range);
            return <line key={`${at} ${is}`} class="moment" x1={x} x2={x} y1="0" y2="100" />;
          })}
          {curvePaths(view.samples, range).map((path) => (
            <path key={path} d={path} />
          ))}
        </svg>
        <span class="level" style={{ bottom: `${marks.warning}%` }}>
          {marks.warning} %
        </span>
        <span class="level" style={{ bottom: `${marks.critical}%` }}>
          {marks.critical} %
        </span>
        {moments.map(({ at, is }) => (
          <span
            key={`${at} ${is}`}
            class="what"
            style={{ left: `${placeOn(Date.parse(at), range)}%` }}
            title={clock(at, now)}
          >
            {is}
          </span>
        ))}
      </div>
      <p class="axis">
        <span>{shortClock(new Date(range.from).toISOString(), now)}</span>
        <span>{shortClock(new Date(range.to).toISOString(), now)}</span>
      </p>
      <figcaption>
        Context {view.context}: {view.used_percentage === null ? '?' : Math.round(view.used_percentage)} %
        used
        {view.window_size === null ? '' : ` of ${Math.round(view.window_size / 1000)}k tokens`}.{' '}
        {forecastText(view)}
      </figcaption>
    </figure>
  );
}

function Contexts({ contexts }: { readonly contexts: readonly ContextView[] }) {
  const now = Date.now();
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {['Context', 'Began', '', 'Ended', '', 'Fullest', 'Cost'].map((title, at) => (
              <th key={at}>{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...contexts].reverse().map((each) => (
            <tr key={each.number}>
              <td>{each.number}</td>
              <td>{each.began_at === null ? '?' : clock(each.began_at, now)}</td>
              <td>{each.began_by}</td>
              <td>{each.ended_at === null ? (each.present ? 'now' : '?') : clock(each.ended_at, now)}</td>
              <td>{each.ended_by}</td>
              <td>{each.peak_percentage === null ? '' : `${Math.round(each.peak_percentage)} %`}</td>
              <td>{each.cost_usd === null ? '' : `$${each.cost_usd.toFixed(2)}`}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
