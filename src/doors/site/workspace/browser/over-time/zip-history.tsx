/** Who held a ZIP code, and when, on its card. */
import { useState } from 'preact/hooks';
import { config, pathWith } from '../config.ts';
import { getJson, messageOf } from '../requests.ts';

interface Period {
  brand: string;
  status: 'live' | 'pending';
  /** ISO 8601 */
  from: string;
  until: string | null;
  isStartKnown: boolean;
  startedBy: string | null;
  endedBy: string | null;
}

type Answer = { zip: string; periods: Period[] } | { zip: string; problem: string };

const dayFormat = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' });

/** Requested when it's opened. It closes with the next ZIP code: give it the ZIP code as key. */
export function ZipHistory({ zip }: { zip: string }) {
  const [answer, setAnswer] = useState<Answer | null>(null);
  const load = () => {
    if (answer && 'periods' in answer) return;
    getJson<{ periods: Period[] }>(pathWith(config().paths.zipRecord, zip)).then(
      ({ periods }) => setAnswer({ zip, periods }),
      (error: unknown) => setAnswer({ zip, problem: messageOf(error) }),
    );
  };
  return (
    <details class="zip-history" onToggle={({ currentTarget }) => currentTarget.open && load()}>
      <summary>Who held it, and when</summary>
      {answer === null ? (
        <p class="quiet">Loading…</p>
      ) : 'problem' in answer ? (
        <p class="quiet">{answer.problem}</p>
      ) : answer.periods.length === 0 ? (
        <p class="quiet">No brand of yours has held it.</p>
      ) : (
        <ul>
          {answer.periods.map((period) => (
            <li key={`${period.brand} ${period.from}`}>
              <b>{period.brand}</b> {period.status === 'pending' && '(pending review) '}
              <span class="quiet">{spanOf(period)}</span>
            </li>
          ))}
        </ul>
      )}
    </details>
  );
}

function spanOf({ from, until, isStartKnown, startedBy, endedBy }: Period): string {
  const by = (name: string | null) => (name === null ? '' : ` by ${name}`);
  const day = (at: string) => dayFormat.format(new Date(at));
  const start = `${isStartKnown ? 'from' : 'since at least'} ${day(from)}${by(startedBy)}`;
  return until === null ? start : `${start}, until ${day(until)}${by(endedBy)}`;
}
